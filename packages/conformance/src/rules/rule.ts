import type { Requested } from '../causes/cause.ts'
import { behaviour } from '../contract/behaviour.ts'
import type { ShownBalances } from '../history.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites, Evidence, Report } from '../report/report.ts'

/** Something that the checker verifies, by reading. */
export interface Rule {
  /** The id of its page in docs/rules, and of `--only`. */
  readonly id: string
  /** What must hold, in one sentence. */
  readonly says: string
  /** What to do if it failed, in one sentence. */
  readonly advice: string
  /** The statements of open questions that its cases settle, such as `paging/order`. */
  readonly settles?: readonly string[]
  /** Reads an exchange. The model is what was known before it was sent. */
  read?(event: Exchange, model: Model, report: Report): void
  readBalances?(balances: ShownBalances, model: Model, report: Report): void
  /** Judges what has to wait for the end of the history, such as deliveries. */
  end?(model: Model, report: Report): void
}

/** A request with what was known before it was sent, and where to report. */
export interface Reading extends Requested {
  readonly report: Report
}

type Source =
  | { readonly fact?: string | undefined; readonly question?: string | undefined }
  | undefined

/** The source of the first declaration that has one. */
export function cited(...declared: readonly Source[]): Cites {
  for (const { fact, question } of declared.filter((it) => it !== undefined)) {
    if (question !== undefined) return { question }
    if (fact !== undefined) return { fact }
  }
  return { standard: 'common practice, which the contract does not mention' }
}

/** The form of all refusals is one open question. */
export const REFUSALS = cited(behaviour.conventions.refusals)

type Case = { cites: Cites; message: string | false | undefined } & Parameters<Report['failed']>[3]

/** A passed case, or a failed one if there is a message. */
export function judge(report: Report, event: Evidence, { cites, message, ...at }: Case): void {
  if (message) report.failed(event, cites, message, at)
  else report.passed(event, cites)
}

/** A value for a message, not too long. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** A name with its article, for a message. */
export function an(name: string): string {
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`
}

/** Two values for a message: of long texts, what is around their first difference. */
export function quotedBoth(one: unknown, other: unknown): readonly [string, string] {
  if (typeof one !== 'string' || typeof other !== 'string') return [quoted(one), quoted(other)]
  const same = one.split('').findIndex((it, i) => it !== other[i])
  const cut = (it: string) => quoted(same < 40 ? it : `…${it.slice(same - 20)}`)
  return [cut(one), cut(other)]
}

/** A header of the response; empty if there is none. */
export function headerOf({ response }: Pick<Exchange, 'response'>, name: string): string {
  return String(response?.headers[name] ?? '')
}
