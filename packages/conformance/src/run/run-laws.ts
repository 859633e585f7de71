import { type Law, PHASES, type Phase } from '../law.ts'
import { laws as allLaws } from '../laws/index.ts'
import { isAsked, notAssessed } from './assessed.ts'
import type { OperationView } from './contract.ts'
import { becomeCustomer } from './customer.ts'
import { NotSent } from './guard.ts'
import { CannotRun } from './identities.ts'
import { CONCURRENCY, makerOf, type Run } from './prepare.ts'
import { casesOf } from './result-of.ts'
import { createScene } from './scene.ts'
import { createUndo } from './undo.ts'

/** Tries every law that was asked for, phase by phase. */
export async function runLaws(run: Run): Promise<void> {
  await reach(run)
  await becomeCustomer({ ...run, maker: makerOf(run, run.undo) }).catch(unlessNotSent)
  // They mostly wait, so they wait beside the others.
  const [prompt, patient] = [false, true].map((isPatient) => {
    const laws = lawsOf('deliveries').filter((law) => (law.isPatient ?? false) === isPatient)
    const all = Promise.all(laws.map((law) => runLaw(run, law)))
    // Where another law fails first, that is what is told.
    all.catch(() => undefined)
    return all
  })
  for (const phase of PHASES.filter((it) => it !== 'deliveries')) {
    // From here on, what is counted must not be disturbed.
    if (phase === 'data') await prompt
    // The clock is not moved under what still waits.
    if (phase === 'time') await patient
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
