import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import type { Exchange } from '../model/exchange.ts'
import type { CheckOptions } from './check-options.ts'
import type { Cites } from './citation.ts'
import type { Context } from './context.ts'
import type { ProfileData } from './profile-data.ts'
import type { Impact, Judgement } from './violation.ts'

/** In the order of a run. */
export const PHASES = [
  'responses',
  'valid requests',
  'invalid requests',
  'records',
  'authorization',
  'http',
  'random',
  'deliveries',
  'lists',
  'later',
] as const
export type Phase = (typeof PHASES)[number]

/** What a rule knows when it judges a response. */
export interface JudgedRun extends Pick<CheckOptions, 'responseWithinMs'> {
  readonly behaviour: Behaviour
  readonly checks: ProfileData['checks']
  /** State of the rule between responses. */
  readonly memory: Map<string, unknown>
}

/** Something that the checker verifies. Each rule has one file; its id is the name of the file and of its page. */
export interface Rule {
  /** In kebab-case. */
  readonly id: string
  readonly phase: Phase
  /** One sentence: what the rule requires. */
  readonly title: string
  /** One sentence: what to do if it failed. */
  readonly advice: string
  /** What the rule rests on. A violation can override it. */
  readonly cites: Cites
  /** Rules that verify the same in another way. What they report at a node is not reported again. */
  readonly repeats?: readonly string[]
  /** What is at stake. Default: neither money nor access. */
  readonly impact?: Impact
  /**
   * Operations without which the rule is not assessed. A general rule derives them from the declared
   * behaviour; an empty list means that nothing is declared.
   */
  readonly needs?: readonly string[] | ((behaviour: Behaviour) => readonly string[])
  /** Open questions that its cases settle, if they depend on the declared behaviour. */
  readonly questions?: (behaviour: Behaviour) => readonly string[]
  /** An identity besides the partner. */
  readonly requires?: 'other' | 'customer'
  /** Whether the service must keep state, which a mock does not. */
  readonly stateful?: boolean
  /** An option that enables the rule, and the reason if it is not set. */
  readonly optIn?: { readonly option: keyof CheckOptions; readonly reason: string }
  /**
   * The rule runs concurrently with others until this phase, because it mostly waits. Default: `lists` for
   * deliveries, since rules on lists count records. `later` is for rules that create no records; that phase
   * moves the clock.
   */
  readonly waits?: 'lists' | 'later'
  /** Whether the rule needs the control API of the sandbox. */
  readonly needsSandboxControl?: boolean
  /** Judges a response to any request; undefined if the rule does not apply to it. */
  readonly judgeResponse?: (
    exchange: Exchange,
    contract: Contract,
    run?: JudgedRun,
  ) => readonly Judgement[] | undefined
  /** Whether its requests cause responses for other rules to judge, if only those rules are selected. */
  readonly isTraffic?: boolean
  /** Tries its own cases. */
  readonly run?: (context: Context) => Promise<void>
}

/** The open question that a rule verifies, if the contract asks it. */
export function questionOfRule(
  { cites }: Pick<Rule, 'cites'>,
  { questions, conventions }: Pick<Contract, 'questions' | 'conventions'>,
): string | undefined {
  if (cites === 'contract') return undefined
  if ('convention' in cites) return conventions[cites.convention]?.question
  return 'question' in cites && questions.has(cites.question) ? cites.question : undefined
}
