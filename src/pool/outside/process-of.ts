/** Who a spender or a member is: ids end in `~` and what makes their process unique; a spender has a part of its own behind that. */
export interface Identified {
  readonly agent: string;
  /** The same for everything of one squad; undefined where the id does not tell. */
  readonly process: string | undefined;
}

const MEMBER = /^(.*)~([0-9a-f]{12})$/s;
const SPENDER = /^(.*)~([0-9a-f]{12})-[0-9a-f]+$/s;

/** Of a member, whose agent may be any that its process serves. */
export function identifyMember(id: string): Identified {
  const [, agent, process] = MEMBER.exec(id) ?? [];
  return { agent: agent ?? id, process };
}

/** Of a spender, which is named after its squad's own agent, whomever it serves. */
export function identifySpender(id: string): Identified {
  const [, agent, process] = SPENDER.exec(id) ?? [];
  return { agent: agent ?? id.replace(/~[^~]*$/s, ""), process };
}
