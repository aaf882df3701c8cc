import { sleep } from "../../clock.js";
import { answerRest } from "./answer-rest.js";
import type { AnswerDesk, Exchange, Outcome } from "./exchange.js";
import { ExchangeLog, type SimulatedExchange } from "./exchange-log.js";
import { breakageOf, faultReply, withFaultyHeaders } from "./fault-replies.js";
import { Faults } from "./faults.js";
import { GraphQLDesk } from "./graphql-desk.js";
import type { Identity } from "./identify.js";
import { identify, quotaOf } from "./identify.js";
import { latencyMs } from "./latency.js";
import { Ledger } from "./ledger.js";
import type { ResolvedOptions } from "./options.js";
import { createRandom, type Random, randomHex } from "./random.js";
import { primaryReply, secondaryReply } from "./refusal-replies.js";
import { RenderedBodies } from "./rendered-bodies.js";
import { requestId } from "./request-id.js";
import { RESOURCE_NAMES, type ResourceName, resourceOf } from "./resource.js";
import type { RouteMatch } from "./rest/router.js";
import { restRouter } from "./rest/routes.js";
import { SecondaryLimits, type SecondaryVerdict } from "./secondary-limits.js";
import { secondaryRequest } from "./secondary-request.js";
import { QuotaWindows } from "./windows.js";
import type { WireReply, WireRequest } from "./wire.js";
import type { Credential } from "./world/credentials.js";
import { WorldState } from "./world/world-state.js";

/** The simulated GitHub behind both of its forms: it takes requests and gives replies. */
export class Engine implements AnswerDesk {
  readonly options: ResolvedOptions;
  readonly state: WorldState;
  readonly log: ExchangeLog;
  readonly ledger: Ledger = new Ledger();
  readonly faults: Faults = new Faults();
  readonly windows: QuotaWindows;
  readonly secondary: SecondaryLimits;
  readonly bodies: RenderedBodies;
  readonly graphql: GraphQLDesk;
  readonly #router = restRouter();
  readonly #random: Random;
  readonly #latencyRandom: Random;
  #exchanges = 0;

  constructor(options: ResolvedOptions) {
    this.options = options;
    this.state = new WorldState(options.clock, options.clockSkewMs);
    this.log = new ExchangeLog(options.logLimit);
    // Streams of their own: turning one feature on must not shift the draws of another.
    this.windows = new QuotaWindows(options, createRandom(options.seed));
    this.secondary = new SecondaryLimits(options.secondary, createRandom(options.seed + 1));
    this.#latencyRandom = createRandom(options.seed + 2);
    this.#random = createRandom(options.seed + 3);
    this.bodies = new RenderedBodies(
      options.etagFormula === "opaque" ? randomHex(createRandom(options.seed + 4), 32) : undefined,
    );
    this.graphql = new GraphQLDesk(this);
  }

  /** Plays one exchange from arrival to answer. */
  async answer(request: WireRequest): Promise<WireReply> {
    const exchange = this.#receive(request);
    const secondary = secondaryRequest(exchange, this.secondary);
    const verdict = this.secondary.arrive(secondary, exchange.startedAt);
    const { latency } = this.options;
    const waitMs = latency === false ? 0 : latencyMs(latency, exchange.kind, this.#latencyRandom);
    const slowMs = exchange.fault?.kind === "slow" ? exchange.fault.ms : 0;
    const beforeMs = latency === false ? 0 : Math.floor(waitMs * latency.effectShare);
    if (beforeMs > 0) await sleep(this.options.clock, beforeMs);
    const outcome = this.#decide(exchange, verdict);
    const afterMs = waitMs - beforeMs + slowMs;
    if (afterMs > 0) await sleep(this.options.clock, afterMs);
    const endedAt = this.options.clock.now();
    this.secondary.depart(secondary, waitMs, endedAt, outcome.reply.status === 304);
    this.#record(exchange, outcome, verdict, { points: secondary.points, workMs: waitMs, endedAt });
    return outcome.reply;
  }

  /** What `/rate_limit` tells a credential. */
  readings(credential: Credential, region: number): Record<string, unknown> {
    const now = this.state.now();
    return Object.fromEntries(
      RESOURCE_NAMES.map((name) => {
        const { limit, used, remaining, resetAt } = this.windows.read(
          quotaOf(credential, name, this.options, this.state),
          now,
          region,
        );
        return [name, { limit, used, remaining, reset: Math.ceil(resetAt / 1_000) }];
      }),
    );
  }

  /** Spends units that no request of ours accounts for. */
  consume(identity: Identity, resource: ResourceName, units: number): void {
    const quota = quotaOf(identity.credential, resource, this.options, this.state);
    const reading = this.windows.charge(quota, units, this.state.now(), 0);
    this.ledger.add(quota.principal, reading, { hiddenUnits: units });
  }

  #receive(request: WireRequest): Exchange {
    const { pathname, search } = request.url;
    const path = this.#stripPrefix(pathname, request);
    const kind = path === "/graphql" && request.method === "POST" ? "graphql" : "rest";
    const identity = identify(request.headers.get("authorization"), request.address, this.state);
    const resource = resourceOf(request.method, path);
    const id = ++this.#exchanges;
    return {
      id,
      requestId: requestId(id, this.#random),
      request,
      path,
      identity,
      kind,
      resource,
      quota: quotaOf(identity.credential, resource, this.options, this.state),
      region: this.windows.region(),
      match: kind === "graphql" ? undefined : this.#match(request, path),
      graphql: kind === "graphql" ? this.graphql.prepare(request) : undefined,
      fault: this.faults.strike(request.method, path, search),
      startedAt: this.options.clock.now(),
    };
  }

  #stripPrefix(pathname: string, request: WireRequest): string {
    const prefix = new URL(request.origins.api).pathname;
    if (request.host !== "api") return `/-${request.host}${pathname}`;
    if (prefix === "/" || pathname.startsWith("/-")) return pathname;
    if (pathname === prefix.replace(/\/v3$/, "/graphql")) return "/graphql";
    return pathname.startsWith(`${prefix}/`)
      ? pathname.slice(prefix.length)
      : pathname === prefix
        ? "/"
        : `/-${pathname}`;
  }

  /** Finds the route; an address by numeric id stands for the one by name. */
  #match(request: WireRequest, path: string): RouteMatch | undefined {
    const [, first, id, ...rest] = path.split("/");
    const number = Number(id);
    if (first === "repositories" && Number.isInteger(number)) {
      const repository = this.state.repositoriesById.get(number);
      if (repository !== undefined)
        return this.#router(request.method, ["/repos", repository.owner.login, repository.name, ...rest].join("/"));
    }
    if ((first === "organizations" || first === "user") && /^\d+$/.test(id ?? "")) {
      const user = this.state.usersById.get(number);
      if (user !== undefined)
        return this.#router(request.method, [first === "user" ? "/users" : "/orgs", user.login, ...rest].join("/"));
    }
    return this.#router(request.method, path);
  }

  #decide(exchange: Exchange, verdict: SecondaryVerdict): Outcome {
    const { fault } = exchange;
    if (this.#isExhausted(exchange)) return primaryReply(this, exchange);
    if (verdict.kind === "refuse") return secondaryReply(this, exchange, verdict.reason === "content");
    const scripted = fault === undefined ? undefined : faultReply(this, exchange, fault);
    if (scripted !== undefined) return scripted;
    const outcome = this.#perform(exchange);
    if (fault === undefined) return outcome;
    const headers =
      fault.kind === "malformed-headers"
        ? withFaultyHeaders(outcome.reply.headers, fault.headers)
        : outcome.reply.headers;
    return { ...outcome, reply: { ...outcome.reply, headers, breakage: breakageOf(fault) } };
  }

  #perform(exchange: Exchange): Outcome {
    return exchange.graphql === undefined
      ? answerRest(this, exchange)
      : this.graphql.answer(exchange, exchange.graphql);
  }

  /** A bad credential earns its 401 whatever the window says. */
  #isExhausted(exchange: Exchange): boolean {
    if (!this.isMetered(exchange) || exchange.identity.problem !== undefined) return false;
    return this.windows.read(exchange.quota, this.state.now(), exchange.region).remaining === 0;
  }

  /** Whether an exchange is under primary limits at all. */
  isMetered(exchange: Exchange): boolean {
    if (!this.options.rateLimits || exchange.path.startsWith("/-")) return false;
    return exchange.identity.credential.kind !== "app-jwt" && exchange.path !== "/rate_limit";
  }

  #record(
    exchange: Exchange,
    outcome: Outcome,
    verdict: SecondaryVerdict,
    took: Pick<SimulatedExchange, "points" | "workMs" | "endedAt">,
  ): void {
    const { request, identity } = exchange;
    const sentWhileBlocked = verdict.kind === "refuse" && verdict.whileBlocked;
    const { principal } = identity.credential;
    const ifNone = request.headers.has("if-none-match") || request.headers.has("if-modified-since");
    const seen: SimulatedExchange = {
      id: exchange.id,
      requestId: exchange.requestId,
      at: exchange.startedAt + this.state.skewMs,
      startedAt: exchange.startedAt,
      method: request.method,
      path: `${exchange.path}${request.url.search}`,
      route: exchange.match?.route.name ?? (exchange.kind === "graphql" ? "POST /graphql" : undefined),
      principal: principal.key,
      credential: identity.credential.kind,
      resource: exchange.resource,
      status: outcome.reply.status,
      chargedUnits: outcome.units,
      resetAt: outcome.reading.resetAt,
      ...took,
      conditional: ifNone ? (outcome.reply.status === 304 ? "hit" : "miss") : "none",
      sentWhileBlocked,
      refusedBy: outcome.refusedBy,
      secondaryReason: outcome.refusedBy === "secondary" && verdict.kind === "refuse" ? verdict.reason : undefined,
      fault: exchange.fault?.kind,
    };
    this.log.add(seen);
    this.options.onExchange?.(seen, request);
    if (outcome.units === 0 && outcome.refusedBy === undefined) return;
    this.ledger.add(principal.key, outcome.reading, {
      chargedUnits: outcome.units,
      refusedByPrimary: outcome.refusedBy === "primary" ? 1 : 0,
      refusedBySecondary: outcome.refusedBy === "secondary" ? 1 : 0,
      sentWhileBlocked: sentWhileBlocked ? 1 : 0,
    });
  }

  /** Forgets windows, refusals, log, ledger and faults; `world` too if asked. */
  reset(world: boolean): void {
    this.windows.clear();
    this.secondary.clear();
    this.log.clear();
    this.ledger.clear();
    this.faults.clear();
    if (world) this.state.clear();
  }
}
