import type { Recorded, RecordedExchange } from '../../src/history.ts'

export type Json = Record<string, unknown>
/** A code, or a refusal with other fields than the declared one of its code. */
export type Refusal = string | { readonly code: string; readonly [field: string]: unknown }
export type KindName = 'webhook' | 'immediateQrCode' | 'dueDateQrCode' | 'staticQrCode'
/** Who sends a request: the partner, another partner, or a customer of the partner. */
export type Who = 'partner' | 'other' | 'customer'

/** Who sends the request of a step, and what is different from a right service. */
export interface Manner {
  readonly by?: Who | null
  /** A refusal in place of the response. */
  readonly refused?: Refusal
  /** The status. Default: that of the operation or of the refusal. */
  readonly status?: number
  /** The credentials, where they are not the token of `by`. */
  readonly authorization?: string
  /** Fields of the JSON of the response, added or replaced. */
  readonly shows?: Json
  /** No response arrives, and why, if that is known. */
  readonly lost?: true | string
  /** Whether the request takes effect. Default: if it is neither refused nor lost. */
  readonly acts?: boolean
  /** Milliseconds until the response, for one that is beside the next. Default: 1. */
  readonly ms?: number
  /**
   * Whether it is an edit of the last request of the same operation that was accepted, or of the
   * last one of all: which pointer it edits, or all that it edits, if it edits the body.
   */
  readonly variant?: true | string | readonly string[]
  /** Whether it is the variant in another notation. */
  readonly isNotation?: true
  /** Headers of the request, added or replaced. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the response, added or replaced. */
  readonly responds?: Readonly<Record<string, string>>
  /** The record that it is about, counted from the first one. Default: the last one. */
  readonly of?: number
}

/** A step adds events to a story. */
export type Step = (story: Story) => void

/** Several steps as one. */
export function inOrder(...steps: readonly Step[]): Step {
  return (story) => {
    for (const step of steps) step(story)
  }
}

/** The events so far, and the records as a right service has them. */
export interface Story {
  /** Milliseconds since 1970. */
  now: number
  readonly events: Recorded[]
  readonly records: StoredRecord[]
  /** The number of creations, accepted or refused. It numbers ids, codes and secrets. */
  count: number
}

/** A record as a right service has it. */
export interface StoredRecord {
  readonly kind: KindName
  /** The fields as a right service shows them. */
  fields: Json
  isGone: boolean
  readonly owner: Who
}

/** A step about one of the records. */
export function onRecord(
  { of = -1 }: Manner,
  work: (record: StoredRecord, story: Story) => Step,
): Step {
  return (story) => {
    const record = story.records.at(of)
    if (!record) throw new Error('the story has no such record')
    const step = work(record, story)
    step(story)
  }
}

/** Whether the request of a step changes records. */
export function takesEffect({ acts, refused, lost }: Manner): boolean {
  return acts ?? (!refused && !lost)
}

/** Time passes, by the clock of the service. */
export function pass(ms: number): Step {
  return (story) => {
    story.now += ms
    story.events.push({ type: 'clock', completeAt: story.now, now: story.now })
  }
}

/** The clock of this machine is set ahead, and not that of the service; by less than zero, it is set back. */
export function setAhead(ms: number): Step {
  return (story) => {
    story.now += ms
  }
}

/** A step of which only the clock of a recorder says when it was. */
export function withoutDate(step: Step): Step {
  return withUnknownTimes(step, { hasUnprovenTime: true })
}

/** A step of which nothing says when it was. */
export function withoutTime(step: Step): Step {
  return withUnknownTimes(step, { hasUnknownTime: true })
}

function withUnknownTimes(
  step: Step,
  flags: Pick<RecordedExchange, 'hasUnknownTime' | 'hasUnprovenTime'>,
): Step {
  return (story) => {
    step(story)
    const last = story.events.at(-1)
    if (last?.type !== 'exchange') throw new Error('the last step has no exchange')
    story.events[story.events.length - 1] = { ...last, ...flags }
  }
}
