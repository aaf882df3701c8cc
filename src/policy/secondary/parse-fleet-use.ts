import { type ParsedDocument, parse, readHead } from "../share/parse-quota-document.js";
import { DOCUMENT_VERSION } from "../share/quota-document.js";
import { Reader, Unreadable } from "../share/read-json.js";
import { type FleetUseDocument, MAX_PROCESSES, type ProcessUse } from "./fleet-use.js";

/** Checks a value from the store, as `parseQuotaDocument` does. `now` is GitHub's time, epoch milliseconds. */
export function parseFleetUse(value: unknown, now: number): ParsedDocument<FleetUseDocument> {
  return parse(() => {
    const reader = new Reader(value, "document");
    const head = readHead(reader, now);
    const entries = new Reader(reader.get("processes"), "document.processes").entries();
    if (entries.length > MAX_PROCESSES) throw new Unreadable(`document.processes holds ${entries.length} processes`);
    const processes = entries.map(([id, of], index) => [id, readUse(of, `document.processes[${index}]`)] as const);
    return { version: DOCUMENT_VERSION, ...head, processes: Object.fromEntries(processes) };
  });
}

function readUse(value: unknown, path: string): ProcessUse {
  const reader = new Reader(value, path);
  return {
    at: reader.time("at"),
    requests: reader.units("requests"),
    restPoints: reader.units("restPoints"),
    graphqlPoints: reader.units("graphqlPoints"),
    restMs: reader.units("restMs"),
    graphqlMs: reader.units("graphqlMs"),
  };
}
