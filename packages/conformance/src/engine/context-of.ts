import type { OperationView } from '../model/operation-view.ts'
import type { Undo } from '../transport/cleanup.ts'
import { isAbout } from './assessed.ts'
import { createScene, type Scene } from './context.ts'
import { CONCURRENCY, makerOf, type Run } from './prepare.ts'
import type { Law } from './rule.ts'
import type { Tally } from './tally.ts'

export interface Trial {
  readonly law: Law
  /** Whether what is found is not told. */
  readonly isSilent: boolean
  readonly undo: Undo
  readonly tally: Tally
}

/** What a law works with in this run. */
export function sceneOf(run: Run, { law, isSilent, undo, tally }: Trial): Scene {
  const { contract, behaviour, target, sender, random, policy, broken, options, identities, schemas, clock } =
    run
  return createScene({
    law,
    contract,
    behaviour,
    target,
    sender,
    maker: makerOf(run, undo),
    random,
    schemas,
    identities,
    receiver: run.receiver,
    notSent: policy.notSent,
    clock,
    timeMs: options.timeMs ?? 1_000,
    isAsked: ({ id }: OperationView) => isAbout(options, id),
    isTold: ({ operation }) => isAbout(options, operation),
    remember: undo.remember,
    concurrency: CONCURRENCY,
    signal: run.stop.signal,
    onBroken: isSilent ? () => {} : broken,
    onLink: run.coverage.link,
    onPassed(question) {
      if (contract.questions.has(question)) run.verdicts.confirmed(question, law.id)
    },
    onKeyword: ({ contract: pointer, keyword, how, question }) => {
      run.coverage.keyword(pointer, keyword, how)
      run.verdicts.confirmed(question, law.id)
    },
    tally,
  })
}
