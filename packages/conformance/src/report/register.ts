import { Document, type Pair, type Scalar } from 'yaml'
import type { Result, Verdict } from '../engine/result.ts'
import { oneLine, visible } from '../model/visible.ts'

/**
 * Renders verdicts as YAML for open-questions.yaml, by the same ids: `verdict`, what was `seen` if it was
 * contradicted, the rules in `by`, and the date `at` (UTC). Characters that YAML forbids, or that are invisible,
 * are escaped.
 *
 * @example
 * writeFileSync('verdicts.yaml', renderRegister(result))
 */
export function renderRegister({ verdicts, startedAt, url, target }: Result): string {
  const at = new Date(startedAt).toISOString().slice(0, 10)
  const document = new Document(
    Object.fromEntries(verdicts.map((it) => [visible(it.question), entryOf(it, at)])),
  )
  document.commentBefore = ` Observed at ${oneLine(url)} (${target}) on ${at}.`
  const texts = new Map(verdicts.map(({ question, text }) => [visible(question), text]))
  const { items = [] } = (document.contents ?? {}) as { items?: Pair<Scalar>[] }
  for (const { key } of items) {
    // Saves the reader from looking up the question.
    key.commentBefore = ` ${oneLine(texts.get(String(key.value)) ?? '')}`
    key.spaceBefore = true
  }
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
