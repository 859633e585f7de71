import { randomInt } from 'node:crypto'
import { type Law, PHASES, type Phase } from '../law.ts'
import { laws as allLaws } from '../laws/index.ts'
import type { LawResult, Result, Target } from '../result.ts'
import { createSchemas } from '../schema/index.ts'
import { seeded } from '../seeded.ts'
import { type Contract, type OperationView, readContract } from './contract.ts'
import { createCoverage } from './coverage.ts'
import { becomeCustomer } from './customer.ts'
import { evidenceOf } from './evidence.ts'
import type { Exchange } from './exchange.ts'
import { createGuard, NotSent } from './guard.ts'
import { type Access, CannotRun, createIdentities, NoToken } from './identities.ts'
import { type Broken, createJudge } from './judge.ts'
import { createMaker } from './maker.ts'
import { createMask } from './mask.ts'
import { ownContract, ownRegister } from './own.ts'
import { createPolicy } from './policy.ts'
import { startReceiver } from './receiver.ts'
import { createScene, isSuccess, type Tally } from './scene.ts'
import { createSender } from './sender.ts'
import { createUndo } from './undo.ts'
import { createVerdicts } from './verdicts.ts'
import { createWire, type Wire } from './wire.ts'

/** What a run is told. */
export interface CheckOptions {
  /** Base URL of the service. */
  readonly url: string
  /** A bundled OpenAPI 3.1 document. Default: the partner payments contract. */
  readonly contract?: object
  readonly target?: Target
  /** Default: none, for a service that asks for none. */
  readonly credentials?: Access
  /** Another partner, whose records are not the first one's. */
  readonly other?: Access
  /** Whether a departure from an answer of the contract counts as a failure. Default: false. */
  readonly strict?: boolean
  /** Default: 1. */
  readonly seed?: number
  /** Milliseconds for random cases. Default: 1,000. */
  readonly timeMs?: number
  /** Ids of laws, or phases; all by default. */
  readonly only?: readonly string[]
  /** OperationIds; all by default. */
  readonly operations?: readonly string[]
  /** Part `i` of `n`: laws are dealt out among runs. */
  readonly shard?: { readonly i: number; readonly n: number }
  /** Whether transfers may be sent to a live service, and the most that one may move: `1.00`. */
  readonly allowPayments?: { readonly maxAmount: string }
  /** Values by operation and pointer that go before the examples of the contract. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Requests a second at most. Default: unlimited; 10 for a live service. */
  readonly rate?: number
  /** How the service reaches the receiver of deliveries on this machine; a sandbox reaches it by itself. */
  readonly receiverUrl?: string
  /** How requests leave, instead of over HTTP to `url`: for a service in this very process. */
  readonly wire?: Wire
  /** Ends the run early; what it made is removed all the same. */
  readonly signal?: AbortSignal
  /** Told of the run's progress. */
  readonly onProgress?: (progress: Progress) => void
}

/** How far a run is. */
export interface Progress {
  readonly phase: string
  readonly law: string
  readonly requests: number
  readonly cases: number
  readonly findings: number
}

/** Laws, cases and requests under way at a time. */
const CONCURRENCY = 8

/**
 * Holds a running service to a contract.
 *
 * @throws {CannotRun} where it cannot be reached, refuses the credentials, or the contract lacks an operation asked for
 * @throws {ContractError} where the contract cannot be read
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const result = await check({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials })
 * for (const { kind, message } of result.findings) console.log(kind, message)
 */
export async function check(options: CheckOptions): Promise<Result> {
  const run = await prepare(options)
  try {
    await runLaws(run)
  } catch (error) {
    if (!(error instanceof NoToken) || run.judge.findings().length === 0) throw error
  } finally {
    // What is under way may make records too.
    await run.sender.idle()
    await run.undo.all()
    await run.receiver?.close()
    await run.wire.close()
  }
  return resultOf(run)
}

/** An answer of ours that a contract does not give is nothing that it promised: what departs from it is news. */
function placed({ questions }: Contract, broken: Broken): Broken {
  const isOurs = broken.question === undefined || questions.has(broken.question)
  return isOurs ? broken : { ...broken, question: undefined, isAddition: true }
}

type Run = Awaited<ReturnType<typeof prepare>>

async function prepare(options: CheckOptions) {
  const { target = 'sandbox', seed = 1, other } = options
  const contract = readContract(options.contract ?? (await ownContract()))
  const base = baseOf(options.url)
  const stray = options.operations?.find((id) => !contract.has(id))
  if (stray !== undefined) throw new CannotRun(`the contract has no operation "${stray}"`)
  const rate = options.rate ?? (target === 'live' ? 10 : undefined)
  const wire =
    options.wire ?? createWire(base, { connections: CONCURRENCY, ...(rate !== undefined && { rate }) })
  const mask = createMask()
  const policy = createPolicy(contract, target, options)
  const judge = createJudge()
  const verdicts = createVerdicts(contract, options.contract ? {} : await ownRegister())
  const coverage = createCoverage(contract)
  const every = allLaws.filter((law) => law.everyAnswer && isAsked(law, options))
  const tallies = new Map<string, Tally>(allLaws.map(({ id }) => [id, { cases: 0, masked: 0 }]))
  const broken = (law: Law, exchange: Exchange, seen: Parameters<typeof judge.add>[1]) => {
    const it = placed(contract, seen)
    judge.add(law, it, () => evidenceOf(exchange, base.href, mask))
    verdicts.contradicted(it.question, it.message)
  }
  const observe = (exchange: Exchange) => {
    // What a sandbox has beside the service is no part of it.
    if (exchange.call.path.startsWith('/_sandbox/')) return
    coverage.see(exchange)
    verdicts.see(exchange)
    for (const law of every) {
      if (exchange.reply.status === 0 && law.id !== 'answers-come') continue
      const found = law.everyAnswer?.(exchange, contract)
      if (!found) continue
      const tally = tallies.get(law.id)
      if (tally) tally.cases++
      for (const it of found) broken(law, exchange, { question: law.question, ...it })
    }
  }
  const partner = options.credentials
  const identities = createIdentities({ contract, wire, mask, partner, other, observe })
  const { signal, allowPayments } = options
  const guard = createGuard({ contract, policy, target, maxAmount: allowPayments?.maxAmount, signal })
  const sender = createSender({
    contract,
    wire,
    identities,
    guard,
    observe(exchange, by) {
      undo.remember(exchange, by)
      observe(exchange)
    },
  })
  const undo = createUndo(contract, sender)
  // What requests rest on is not needed once the law that sent them is done.
  const sources = createUndo(contract, sender)
  const random = seeded(seed)
  const schemas = createSchemas(contract.document.root)
  const receiver =
    target === 'sandbox' || options.receiverUrl ? await startReceiver(options.receiverUrl) : undefined
  const maker = createMaker({
    contract,
    // What is used once has to be new in every run, whatever its seed: an earlier one used it up.
    random: seeded(randomInt(2 ** 32)),
    validOf: (pointer) => schemas.validOf(pointer),
    values: merged(policy.values, options.values),
    may: policy.may,
    ask: async (view, input, who) => {
      const exchange = await sender.send(view, input, { who })
      sources.remember(exchange, { who })
      return isSuccess(exchange) ? exchange : undefined
    },
  })
  return {
    sources,
    receiver,
    /** Whether answers are judged for themselves, so that some have to be brought about. */
    judgesEvery: every.length > 0,
    options,
    target,
    seed,
    contract,
    base,
    wire,
    identities,
    policy,
    judge,
    verdicts,
    coverage,
    tallies,
    broken,
    sender,
    random,
    undo,
    maker,
    schemas,
    started: Date.now(),
    took: new Map<string, number>(),
  }
}

async function runLaws(run: Run): Promise<void> {
  await reach(run)
  await becomeCustomer(run).catch(unlessNotSent)
  // They mostly wait, so they wait beside the others.
  const deliveries = Promise.all(lawsOf('deliveries').map((law) => runLaw(run, law)))
  // Where another law fails first, that is what is told.
  deliveries.catch(() => undefined)
  for (const phase of PHASES.filter((it) => it !== 'deliveries')) {
    // From here on, what is counted must not be disturbed.
    if (phase === 'data') await deliveries
    for (const law of lawsOf(phase)) if (!run.options.signal?.aborted) await runLaw(run, law)
  }
}

function lawsOf(phase: Phase): Law[] {
  return allLaws.filter((law) => law.phase === phase && law.run)
}

async function runLaw(run: Run, law: Law): Promise<void> {
  const tally = run.tallies.get(law.id)
  const isSilent = !isAsked(law, run.options)
  if (!tally || (isSilent && !law.isTraffic) || notAssessed(run, law, isSilent) !== undefined) return
  if (isSilent && !run.judgesEvery) return
  const undo = createUndo(run.contract, run.sender)
  const { contract, target, sender, maker, random, policy, broken, options, identities, schemas } = run
  const began = performance.now()
  const scene = createScene({
    law,
    contract,
    target,
    sender,
    maker,
    random,
    schemas,
    identities,
    receiver: run.receiver,
    may: policy.may,
    timeMs: options.timeMs ?? 1_000,
    isAsked: (view: OperationView) => options.operations?.includes(view.id) ?? true,
    remember: undo.remember,
    concurrency: CONCURRENCY,
    isOver: () => options.signal?.aborted ?? false,
    onBroken: isSilent ? () => {} : broken,
    onLink: run.coverage.link,
    onKeyword: ({ contract: pointer, keyword, how, question }) => {
      run.coverage.keyword(pointer, keyword, how)
      run.verdicts.confirmed(question)
    },
    tally: isSilent ? { cases: 0, masked: 0 } : tally,
  })
  try {
    await law.run?.(scene)
  } catch (error) {
    unlessNotSent(error)
    scene.masked()
  } finally {
    // At once, since every record that is left makes what follows slower.
    await undo.all()
    if (law.phase !== 'deliveries') await run.sources.all()
  }
  run.took.set(law.id, performance.now() - began)
  const { count } = sender
  const cases = casesOf(run)
  options.onProgress?.({
    phase: law.phase,
    law: law.id,
    requests: count,
    cases,
    findings: run.judge.findings().length,
  })
}

/**
 * Signs in as everyone of whom credentials were given, or asks for anything where there is no signing in: what cannot
 * be reached, or refuses the credentials, cannot be checked.
 */
async function reach({ contract, identities, options, wire }: Run): Promise<void> {
  if (options.signal?.aborted) return
  if (contract.operations.some(({ scheme }) => scheme === 'basic')) {
    await identities.headerOf('partner', undefined)
    if (options.other) await identities.headerOf('other', undefined)
    return
  }
  const { status, text } = await wire.send({ method: 'GET', path: '/', headers: {}, body: undefined })
  if (status === 0) throw new CannotRun(`the service cannot be reached: ${text}`)
}

function unlessNotSent(error: unknown): void {
  if (!(error instanceof NotSent)) throw error
}

/** Why a law does not apply here; undefined where it does. */
function notAssessed(
  { contract, target, options, identities, receiver }: Run,
  law: Law,
  isSilent = false,
): string | undefined {
  if (!isSilent && !isAsked(law, options)) return 'not asked for'
  const missing = law.needs?.find((id) => !contract.has(id))
  if (missing) return `the contract has no operation ${missing}`
  if (law.stateful && target === 'mock') return 'a mock keeps nothing'
  if (law.phase === 'deliveries' && !receiver) return 'the service cannot reach a receiver on this machine'
  if (law.identity === 'other' && !identities.has('other'))
    return 'no credentials of another partner were given'
  if (law.identity === 'customer' && !identities.has('customer')) return 'no customer could be impersonated'
  return undefined
}

function isAsked({ id, phase }: Law, { only, shard }: CheckOptions): boolean {
  if (only && !only.includes(id) && !only.includes(phase)) return false
  return !shard || allLaws.findIndex((law) => law.id === id) % shard.n === shard.i - 1
}

function resultOf(run: Run): Result {
  const { options, contract, judge, sender, seed, target, base } = run
  const laws = allLaws.map((law) => lawResult(run, law))
  const findings = judge.findings().map((it) => (options.strict ? { ...it, severity: 'error' as const } : it))
  return {
    target,
    url: base.href,
    contract: { title: contract.title, version: contract.version },
    strict: options.strict ?? false,
    seed,
    shard: options.shard && `${options.shard.i}/${options.shard.n}`,
    startedAt: new Date(run.started).toISOString(),
    ms: Date.now() - run.started,
    requests: sender.count,
    cases: casesOf(run),
    laws,
    findings,
    baselined: [],
    verdicts: run.verdicts.all(laws),
    coverage: run.coverage.result(),
    left: run.undo.left,
  }
}

/** Every answer is one case of what is asked of all of them, and laws have cases of their own. */
function casesOf({ sender, tallies }: Run): number {
  const own = allLaws.filter(({ everyAnswer }) => !everyAnswer)
  return own.reduce((sum, { id }) => sum + (tallies.get(id)?.cases ?? 0), sender.count)
}

function lawResult(run: Run, law: Law): LawResult {
  const { cases = 0, masked = 0 } = run.tallies.get(law.id) ?? {}
  const skipped = notAssessed(run, law)
  const isBroken = run.judge.count(law.id) > 0
  const nothing =
    masked > 0 ? 'every case was masked: its accepted twin was refused too' : 'no case of it could be tried'
  const reason = skipped ?? (cases === 0 ? nothing : undefined)
  const status = isBroken ? 'broken' : reason === undefined ? 'held' : 'not-assessed'
  const { id, title, phase } = law
  const question = law.question && run.contract.questions.has(law.question) ? law.question : undefined
  const ms = Math.round(run.took.get(id) ?? 0)
  return {
    law: id,
    title,
    phase,
    question,
    status,
    reason: isBroken ? undefined : reason,
    cases: cases + masked,
    masked,
    ms,
  }
}

function baseOf(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (base && (base.username !== '' || base.password !== ''))
    throw new CannotRun('the target must be a URL without credentials; give them apart')
  if (base && /^https?:$/.test(base.protocol) && base.search === '' && base.hash === '') return base
  throw new CannotRun(`the target must be a URL like http://127.0.0.1:4020, got "${url}"`)
}

type Values = NonNullable<CheckOptions['values']>

/** Values of an operation go before others of the same pointer, and leave the rest as it is. */
function merged(values: Values, others: Values = {}): Values {
  const ids = [...new Set([...Object.keys(values), ...Object.keys(others)])]
  return Object.fromEntries(ids.map((id) => [id, { ...values[id], ...others[id] }]))
}
