import { type Law, PHASES } from '../law.ts'
import { laws as allLaws } from '../laws/index.ts'
import { isAsked, notAssessed } from './assessed.ts'
import type { Contract, OperationView } from './contract.ts'
import { becomeCustomer } from './customer.ts'
import { NotSent } from './guard.ts'
import { ownFault } from './judging.ts'
import { CONCURRENCY, makerOf, type Run } from './prepare.ts'
import { CannotRun, isPage, NoToken } from './refused-sign-in.ts'
import { casesOf } from './result-of.ts'
import { createScene } from './scene.ts'
import { createUndo } from './undo.ts'

/** Tries every law that was asked for, phase by phase. */
export async function runLaws(run: Run): Promise<void> {
  if (!(await reach(run))) return
  await isDone(run, () => becomeCustomer({ ...run, maker: makerOf(run, run.undo) }))
  const waiting = Promise.all(allLaws.filter(waits).map((law) => runLaw(run, law)))
  for (const phase of PHASES) {
    // From here on, what is counted must not be disturbed.
    if (phase === 'data') await waiting
    for (const law of allLaws.filter((it) => it.phase === phase && !waits(it)))
      if (!run.stop.signal.aborted) await runLaw(run, law)
  }
  await waiting
}

function waits({ phase, waits = phase === 'deliveries' }: Law): boolean {
  return waits
}

async function runLaw(run: Run, law: Law): Promise<void> {
  const tally = run.tallies.get(law.id)
  const isSilent = !isAsked(law, run.options)
  if (!tally || !law.run || (isSilent && !law.isTraffic) || notAssessed(run, law, isSilent) !== undefined)
    return
  if (isSilent && !run.judgesEvery) return
  const undo = createUndo(run.contract, run.sender)
  const { contract, target, sender, random, policy, broken, options, identities, schemas } = run
  const began = performance.now()
  const scene = createScene({
    law,
    contract,
    target,
    sender,
    maker: makerOf(run, undo),
    random,
    schemas,
    identities,
    receiver: run.receiver,
    may: policy.may,
    timeMs: options.timeMs ?? 1_000,
    isAsked: (view: OperationView) => options.operations?.includes(view.id) ?? true,
    remember: undo.remember,
    concurrency: CONCURRENCY,
    isOver: () => run.stop.signal.aborted,
    onBroken: isSilent ? () => {} : broken,
    onLink: run.coverage.link,
    onKeyword: ({ contract: pointer, keyword, how, question }) => {
      run.coverage.keyword(pointer, keyword, how)
      run.verdicts.confirmed(question, law.id)
    },
    tally: isSilent ? { cases: 0, masked: 0 } : tally,
  })
  const { run: tryCases } = law
  if (!(await isDone(run, () => tryCases(scene), law))) scene.masked()
  // At once, since every record that is left makes what follows slower.
  await undo.all()
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
 * Whether the service can be asked at all. What was found where signing in gave no token is kept: nothing else can be.
 *
 * @throws {CannotRun} where it cannot be reached, or refuses the credentials
 */
async function reach(run: Run): Promise<boolean> {
  if (run.stop.signal.aborted) return false
  try {
    await firstAnswers(run)
    return true
  } catch (error) {
    if (run.stop.signal.aborted) return false
    if (!(error instanceof NoToken) || run.judge.findings().length === 0) throw error
    run.stop.now(error.message)
    return false
  }
}

/** Signs in as everyone of whom credentials were given, or asks for anything where there is no signing in. */
async function firstAnswers({ contract, identities, options, wire, stop }: Run): Promise<void> {
  if (contract.operations.some(({ scheme }) => scheme === 'basic')) {
    await identities.headerOf('partner', undefined)
    if (options.other) await identities.headerOf('other', undefined)
    return
  }
  const first = contract.operations.find(
    ({ method, pathParameters }) => method === 'GET' && pathParameters.length === 0,
  )
  const call = { method: 'GET', path: first?.path ?? '/', headers: {}, body: undefined }
  const reply = await wire.send(call, stop.signal)
  if (reply.status === 0) throw new CannotRun(`the service cannot be reached: ${reply.text}`)
  if (first && isPage(reply) && ![401, 403].includes(reply.status) && !knowsPages(contract))
    throw new CannotRun(
      `this is no such API: GET ${first.path} was answered ${reply.status} with text/html; is it the base URL?`,
    )
  const secured = contract.operations.find(({ scheme }) => scheme === 'bearer')
  if (secured) await identities.headerOf('partner', secured)
}

/** Whether a contract has answers for people too. */
function knowsPages({ document }: Contract): boolean {
  return JSON.stringify(document.root).includes('"text/html')
}

/**
 * Whether a work came to its end. What a law throws ends the law alone; where nobody can sign in any more, the run ends
 * with what it has found.
 */
async function isDone(run: Run, work: () => Promise<void>, law?: Law): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof CannotRun) run.stop.now(error.message)
    else if (law && !(error instanceof NotSent)) run.failed.set(law.id, ownFault(error))
    return false
  }
}
