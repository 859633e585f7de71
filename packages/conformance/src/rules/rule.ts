import type { Finding } from '@partner-payments/validator'
import type { RequestContext } from '../causes/cause.ts'
import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { valueAt } from '../contract/json.ts'
import type { ShownBalances } from '../history.ts'
import type { Exchange, Trace } from '../model/exchange.ts'
import type { Unknown } from '../model/unknown.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { isWord } from '../report/sightings.ts'

/** Something that the checker verifies, by reading. */
export interface Rule {
  /** The id of its file in docs/rules, and of `--only`. */
  readonly id: string
  /** What must hold, in one sentence. */
  readonly says: string
  /** What to do if it failed, in one sentence. */
  readonly advice: string
  /** The statements of open questions that its cases settle, such as `paging/order`. */
  readonly settles?: readonly string[]
  /**
   * The parts of an exchange without which the rule does not read it, as in a recording that hides
   * them. Default: all parts.
   */
  readonly needs?: readonly (keyof Unknown)[]
  /**
   * The responses of which the rule has cases.
   *
   * - `every-response`: it says what no response may do, such as show a stack trace.
   * - `refusals`: it is about credentials, rights, or the form of refusals.
   * - Default: acceptances, and refusals that concern the request itself.
   */
  readonly judges?: 'every-response' | 'refusals'
  /** Whether it reads what a gateway responded in place of the service. Default: false. */
  readonly readsGateways?: boolean
  /** Reads an exchange. The model is what was known before it was sent. */
  read?(event: Exchange, model: Model, report: Report): void
  readBalances?(balances: ShownBalances, model: Model, report: Report): void
  /** Judges what has to wait for the end of the history, such as deliveries. */
  end?(model: Model, report: Report): void
}

/** The needs of a rule that compares bodies, whoever sent the request. */
export const ALL_BUT_REQUEST_HEADERS: readonly (keyof Unknown)[] = [
  'requestBody',
  'responseBody',
  'responseHeaders',
  'target',
  'times',
]

/** A request with what was known before it was sent, and where to report. */
export interface RuleContext extends RequestContext {
  readonly report: Report
}

/** What was known at the end of the history, and where to report. */
export type EndContext = Omit<RuleContext, 'exchange'>

/** What an entry of spec/behaviour rests on: a statement of the document, or an open question. */
export type DeclaredSource =
  | { readonly fact?: string | undefined; readonly question?: string | undefined }
  | undefined

/**
 * Cites what a finding rests on: the fact or the open question that one of the declarations in spec/behaviour names, the
 * first that does. `entry` is the pointer of the first declaration, even if another one names the fact.
 *
 * @example
 * cite(behaviour.lifetimes['access-token']) // { question: 'token-expiration-unit', entry: '/lifetimes/access-token' }
 */
export function cite(...declarations: readonly DeclaredSource[]): Cites {
  let entry: string | undefined
  for (const declared of declarations) {
    if (declared === undefined) continue

    entry ??= findEntryPointer(declared)
    const { question, fact } = declared
    if (question !== undefined) return { question, entry }
    if (fact !== undefined) return { fact, entry }
  }
  return { standard: 'common practice, which the contract does not mention' }
}

/**
 * Cites a declaration for a case that concerns only one statement of its question.
 *
 * @example
 * citeStatement({ question: 'paging' }, 'cursor', list.pages)
 * // { question: 'paging', statement: 'cursor', entry: '/lists/listDueDateQrCodes/pages' }
 * @param statement Undefined for a case of the question as a whole.
 * @param entry The declaration in spec/behaviour that the finding names. Default: `declared`.
 */
export function citeStatement(
  declared: DeclaredSource,
  statement: string | undefined,
  entry = declared,
): Cites {
  return { ...cite(declared), statement, entry: entry && findEntryPointer(entry) } as Cites
}

/**
 * Cites what an earlier response of the service showed or refused.
 *
 * @param says Such as `checkCode refused the code`.
 * @param declared The entry of spec/behaviour that is contradicted too, if there is one.
 */
export function citeEarlier(
  { operation, requestId }: Trace,
  says: string,
  declared?: DeclaredSource,
): Cites {
  return { own: { operation, requestId, says }, entry: declared && findEntryPointer(declared) }
}

/** Cites the form of all refusals, which is one open question. */
export const REFUSAL_FORM = cite(behaviour.conventions.refusals)

/** Cites that each name in an object comes once. Programs differ in which of two values they read. */
export const UNIQUE_NAMES: Cites = { standard: 'RFC 8259, section 4' }

/** Findings about deliveries name the operation that registers webhooks. */
export const DELIVERY_OPERATION = 'createWebhook'

const MAX_VALUE_LENGTH = 80

/** Writes a value as JSON for a message, and cuts what is too long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

/** Keywords of JSON Schema that a word of the service's choice breaks, such as a status. */
const WORD_KEYWORDS: ReadonlySet<string> = new Set(['enum', 'const'])

/**
 * Writes the message of a difference between a body and the contract. Of an enumeration, it shows
 * the value: a word that settles an open question. Every other value may be personal.
 */
export function describeDifference({ keyword, pointer, message }: Finding, body: unknown): string {
  const value = valueAt(body, pointer)
  if (!WORD_KEYWORDS.has(keyword) || !isWord(value)) return message
  return message.replace(/got string of length \d+$/, `got "${value}"`)
}

/** Writes a name with its article: `an immediateQrCode`. */
export function withArticle(name: string): string {
  const article = /^[aeio]/.test(name) ? 'an' : 'a'
  return `${article} ${name}`
}

/** Characters before the first difference of two texts that a message shows. */
const CONTEXT_LENGTH = 20

/**
 * Writes two values as JSON for a message. If two texts differ only far from their beginning, both are cut
 * to what is around the first difference: `["…end of one", "…end of two"]`.
 */
export function quoteBoth(one: unknown, other: unknown): readonly [string, string] {
  if (typeof one !== 'string' || typeof other !== 'string') return [quote(one), quote(other)]

  const differenceAt = findDifferentIndex(one, other)
  const isNearBeginning = differenceAt < 2 * CONTEXT_LENGTH
  if (isNearBeginning) return [quote(one), quote(other)]

  const start = differenceAt - CONTEXT_LENGTH
  return [quote(`…${one.slice(start)}`), quote(`…${other.slice(start)}`)]
}

/** The index of the first character that differs; the length of `one` if the other text begins with it. */
function findDifferentIndex(one: string, other: string): number {
  const index = one.split('').findIndex((character, at) => character !== other[at])
  return index === -1 ? one.length : index
}

/** Reads a header of the response; empty if there is none. */
export function readHeader({ response }: Pick<Exchange, 'response'>, name: string): string {
  return String(response?.headers[name] ?? '')
}
