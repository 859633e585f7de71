import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import type { Exchange } from '../transport/exchange.ts'
import type { Scene } from './context.ts'
import type { Judged } from './judge.ts'
import type { CheckOptions } from './options.ts'

/** When a law is tried; the phases follow each other in this order. */
export const PHASES = [
  'every answer',
  'examples and boundaries',
  'twins',
  'lifecycles',
  'authorization',
  'http',
  'random',
  'deliveries',
  'data',
  'time',
] as const
export type Phase = (typeof PHASES)[number]

/** The run that a response was seen in. */
export interface JudgedRun extends Pick<CheckOptions, 'answerWithinMs'> {
  readonly behaviour: Behaviour
  /** What a law keeps from one response to the next. */
  readonly memory: Map<string, unknown>
}

/** What a service is held to. One file a law; its id names the file, the test and the page. */
export interface Law {
  /** In kebab-case. */
  readonly id: string
  readonly phase: Phase
  /** One sentence: what it asks of a service. */
  readonly title: string
  /** One sentence: what to do where it is broken. */
  readonly advice: string
  /** The open question that it is about, where it holds a service to an answer of ours; absent: to a fact. */
  readonly question?: string
  /** Whether it is asked of no contract but one that gives our answer to its question: any other answer is as good. */
  readonly isOurs?: boolean
  /** Whether money or access is at stake. */
  readonly atStake?: boolean
  /** Operations that it needs, all of them; without them it is not assessed. */
  readonly needs?: readonly string[]
  /** An identity that it needs besides the partner. */
  readonly identity?: 'other' | 'customer'
  /** Whether it needs a service that keeps what it is told. */
  readonly stateful?: boolean
  /** An option without which it is not assessed, and why. */
  readonly optIn?: { readonly option: keyof CheckOptions; readonly reason: string }
  /**
   * The phase until which it may wait beside the others, since that is mostly what it does. Deliveries wait until
   * `data`, whose laws count records; one that makes none while it waits has until `time`, which moves the clock.
   */
  readonly waits?: 'data' | 'time'
  /** Whether it needs the control of our sandbox, which no other service has. */
  readonly isOfSandbox?: boolean
  /** Judges any answer, whatever it was asked for; undefined where the law says nothing of such an answer. */
  readonly everyAnswer?: (
    exchange: Exchange,
    contract: Contract,
    run?: JudgedRun,
  ) => readonly Judged[] | undefined
  /** Whether its requests bring about what laws of every answer judge, where a run is about those alone. */
  readonly isTraffic?: boolean
  /** Tries cases of its own. */
  readonly run?: (scene: Scene) => Promise<void>
}
