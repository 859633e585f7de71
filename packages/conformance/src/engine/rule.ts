import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Cites } from './citation.ts'
import type { Context } from './context.ts'
import type { CheckOptions } from './options.ts'
import type { ProfileData } from './profile-data.ts'
import type { Impact, Judgement } from './violation.ts'

/** When a rule is tried; the phases follow each other in this order. */
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

/** The run that a response was seen in. */
export interface JudgedRun extends Pick<CheckOptions, 'responseWithinMs'> {
  readonly behaviour: Behaviour
  readonly checks: ProfileData['checks']
  /** What a rule keeps from one response to the next. */
  readonly memory: Map<string, unknown>
}

/** What a service is held to. One file a rule; its id names the file, the test and the page. */
export interface Rule {
  /** In kebab-case. */
  readonly id: string
  readonly phase: Phase
  /** One sentence: what it asks of a service. */
  readonly title: string
  /** One sentence: what to do where it is broken. */
  readonly advice: string
  /** What it holds a service to, where a violation says nothing else. */
  readonly cites: Cites
  /** Whether it is asked of no contract but one that gives our answer to its question: any other answer is as good. */
  readonly needsQuestion?: boolean
  /** Rules that try the same in another way: what they found at a place is not reported once more. */
  readonly repeats?: readonly string[]
  /** What is at stake. Default: neither money nor access. */
  readonly impact?: Impact
  /**
   * Operations that it needs, all of them; without them it is not assessed. A general rule takes them from what the
   * contract declares: none where it declares nothing that the rule is about.
   */
  readonly needs?: readonly string[] | ((behaviour: Behaviour) => readonly string[])
  /** The open questions that its cases settle, where that depends on what the contract declares. */
  readonly questions?: (behaviour: Behaviour) => readonly string[]
  /** An identity that it needs besides the partner. */
  readonly requires?: 'other' | 'customer'
  /** Whether it needs a service that keeps what it is told. */
  readonly stateful?: boolean
  /** An option without which it is not assessed, and why. */
  readonly optIn?: { readonly option: keyof CheckOptions; readonly reason: string }
  /**
   * The phase until which it may wait beside the others, since that is mostly what it does. Deliveries wait until
   * `data`, whose rules count records; one that makes none while it waits has until `time`, which moves the clock.
   */
  readonly waits?: 'lists' | 'later'
  /** Whether it needs the control of our sandbox, which no other service has. */
  readonly needsSandboxControl?: boolean
  /** Judges any answer, whatever it was asked for; undefined where the rule says nothing of such an answer. */
  readonly judgeResponse?: (
    exchange: Exchange,
    contract: Contract,
    run?: JudgedRun,
  ) => readonly Judgement[] | undefined
  /** Whether its requests bring about what rules of every answer judge, where a run is about those alone. */
  readonly isTraffic?: boolean
  /** Tries cases of its own. */
  readonly run?: (context: Context) => Promise<void>
}

/** The open question that a rule is about, where the contract asks it; undefined of one that is about facts. */
export function questionOfRule(
  { cites }: Pick<Rule, 'cites'>,
  { questions, conventions }: Pick<Contract, 'questions' | 'conventions'>,
): string | undefined {
  if (cites === 'contract') return undefined
  if ('convention' in cites) return conventions[cites.convention]?.question
  return 'question' in cites && questions.has(cites.question) ? cites.question : undefined
}
