// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

using UnrealBuildTool;

public class NetClockSampleEditorTarget : NetClockSampleTarget
{
	public NetClockSampleEditorTarget(TargetInfo Target) : base(Target)
	{
		Type = TargetType.Editor;
	}
}
