#include <algorithm>
#include <cstdio>

#include "CoreMinimal.h"

namespace FDouble
{
	std::string Narrow(const TCHAR* Text)
	{
		const TCHAR* End = Text;
		while (*End) { ++End; }
		std::string Result(static_cast<size_t>(End - Text), ' ');
		char* To = Result.data();
		while (Text != End) { *To++ = static_cast<char>(*Text++); }
		return Result;
	}

	template <class T> static std::string FormatOne(const std::string& Specification, T Value)
	{
		const int Length = std::snprintf(nullptr, 0, Specification.c_str(), Value);
		check(Length >= 0);
		std::string Said(static_cast<size_t>(Length) + 1, ' ');
		std::snprintf(Said.data(), Said.size(), Specification.c_str(), Value);
		Said.pop_back();
		return Said;
	}

	FDoubleText Format(const TCHAR* Format, std::va_list Arguments)
	{
		std::string Said;
		const std::string Text = Narrow(Format);
		for (size_t At = 0; At < Text.size(); ++At)
		{
			const size_t Next = std::min(Text.find('%', At), Text.size());
			Said.append(Text, At, Next - At);
			At = Next;
			if (At == Text.size()) { break; }
			std::string Specification = "%";
			while (std::string("diuxcsfge%").find(Text[++At]) == std::string::npos)
			{
				check(At + 1 < Text.size());
				Specification.push_back(Text[At]);
			}
			Specification.push_back(Text[At]);
			const bool bLong = Specification.find("ll") != std::string::npos;
			switch (Text[At])
			{
			case '%': Said.push_back('%'); break;
			case 's':
				Said += FormatOne(Specification, Narrow(va_arg(Arguments, const TCHAR*)).c_str());
				break;
			case 'f': case 'g': case 'e': Said += FormatOne(Specification, va_arg(Arguments, double)); break;
			default:
				Said += bLong ? FormatOne(Specification, va_arg(Arguments, int64))
							  : FormatOne(Specification, va_arg(Arguments, int32));
				break;
			}
		}
		return FDoubleText(Said.begin(), Said.end());
	}
}
