# Reads a trace with Perfetto's published schema, and prints its contents as JSON.
import json
import sys
from collections import defaultdict

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema

trace = schema.Trace()
trace.ParseFromString(open(sys.argv[1], "rb").read())
known = trace.SerializeToString()
trace.DiscardUnknownFields()
tracks, flows, counters, events = {}, defaultdict(list), defaultdict(int), []
for packet in trace.packet:
    if packet.HasField("track_descriptor"):
        tracks[packet.track_descriptor.uuid] = packet.track_descriptor
    if not packet.HasField("track_event"):
        continue
    event = packet.track_event
    if event.type == schema.TrackEvent.TYPE_COUNTER:
        counters[tracks[event.track_uuid].name] += 1
        assert event.HasField("double_counter_value")
    elif event.flow_ids:
        flows[event.flow_ids[0]].append((event.name, packet.timestamp))
    else:
        events.append(event.name)
order = ["request sent", "request received", "reply sent", "reply received"]
backwards, starts = 0, defaultdict(list)
for flow, stamps in flows.items():
    times = dict(stamps)
    times = [times[name] for name in order]
    backwards += times != sorted(times)
    starts[flow & 0xFFFFFFFFFF].append(times[0])
print(json.dumps({
    "unknown": len(known) - trace.ByteSize(),
    "processes": [track.process.process_name for track in tracks.values() if track.HasField("process")],
    "flows": len(flows),
    "stamps": sum(map(len, flows.values())),
    "backwards": backwards,
    "apart_ns": max(max(both) - min(both) for both in starts.values()),
    "counters": counters,
    "events": events,
}))
