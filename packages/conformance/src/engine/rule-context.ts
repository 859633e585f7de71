import type { OperationView } from '../model/operation-view.ts'
import type { Cleanup } from '../transport/cleanup.ts'
import { isInScope } from './applicability.ts'
import type { Context } from './context.ts'
import { createContext } from './create-context.ts'
import { CONCURRENCY, type Run, requestBuilderOf } from './prepare.ts'
import type { Rule } from './rule.ts'
import type { Tally } from './tally.ts'

export interface RuleRun {
  readonly rule: Rule
  /** Whether the rule runs only to cause traffic, so that its violations are not reported. */
  readonly isTrafficOnly: boolean
  readonly cleanup: Cleanup
  readonly tally: Tally
}

export function contextForRule(run: Run, { rule, isTrafficOnly, cleanup, tally }: RuleRun): Context {
  const { contract, behaviour, target, sender, random, policy, record, options, identities, schemas, clock } =
    run
  const builder = requestBuilderOf(run, cleanup)
  return createContext({
    rule,
    contract,
    behaviour,
    profile: run.profile,
    learn: learnOnce(run.learned),
    becomeCustomer: () => run.profile.becomeCustomer({ contract, identities, builder, send: sender.send }),
    target,
    sender,
    builder,
    random,
    schemas,
    identities,
    receiver: run.receiver,
    notSent: policy.notSentReason,
    clock,
    timeMs: options.timeMs ?? 1_000,
    isAsked: ({ id }: OperationView) => isInScope(options, id),
    isReported: ({ operation }) => isInScope(options, operation),
    remember: cleanup.remember,
    concurrency: CONCURRENCY,
    signal: run.stop.signal,
    onViolation: isTrafficOnly ? () => {} : record,
    onLink: run.coverage.link,
    onPassed(question) {
      if (contract.questions.has(question)) run.verdicts.confirmed(question, rule.id)
    },
    onKeyword: ({ contract: pointer, keyword, how, question }) => {
      run.coverage.keyword(pointer, keyword, how)
      run.verdicts.confirmed(question, rule.id)
    },
    tally,
  })
}

/** A failed computation is repeated by the next caller. */
function learnOnce(learned: Map<string, Promise<unknown>>): Context['learn'] {
  return <T>(name: string, find: () => Promise<T>): Promise<T> => {
    const known = learned.get(name)
    if (known) return known as Promise<T>
    const found = find()
    learned.set(name, found)
    found.catch(() => learned.delete(name))
    return found
  }
}
