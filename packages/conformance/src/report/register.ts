import { Document, type Pair, type Scalar } from 'yaml'
import type { Result, Verdict } from '../engine/result.ts'
import { oneLine, visible } from './text.ts'

/**
 * The verdicts as YAML, for the entries of the same ids in open-questions.yaml: each with `verdict`, what was `seen`
 * (where it was contradicted) and `at`, the day of the run (UTC, RFC 3339 full-date). Characters that YAML forbids or
 * nobody sees are written out.
 *
 * @example
 * writeFileSync('verdicts.yaml', renderRegister(result))
 */
export function renderRegister(result: Result): string {
  const at = new Date(result.startedAt).toISOString().slice(0, 10)
  const document = new Document(
    Object.fromEntries(result.verdicts.map((it) => [visible(it.question), entryOf(it, at)])),
  )
  document.commentBefore = ` Seen at ${oneLine(result.url)} (${result.target}) on ${at}.`
  commentEach(document, result.verdicts)
  return document.toString({ lineWidth: 0 })
}

function entryOf({ verdict, seen, by }: Verdict, at: string) {
  return {
    verdict,
    ...(seen !== undefined && { seen: visible(seen) }),
    ...(by.length > 0 && { by: by.map(visible) }),
    at,
  }
}

/** The question stands above its entry, so that a reader need not look it up. */
function commentEach(document: Document, verdicts: readonly Verdict[]): void {
  const texts = new Map(verdicts.map(({ question, text }) => [visible(question), text]))
  const { items = [] } = (document.contents ?? {}) as { items?: Pair<Scalar>[] }
  for (const { key } of items) {
    key.commentBefore = ` ${oneLine(texts.get(String(key.value)) ?? '')}`
    key.spaceBefore = true
  }
}
