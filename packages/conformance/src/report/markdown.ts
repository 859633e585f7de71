import type { Finding, Result, Verdict } from '../result.ts'
import { percent, sharesOf } from './coverage.ts'
import { judgedLaws } from './laws.ts'
import type { Locate } from './locate.ts'
import { countsOf, exitCodeOf, fails, summaryOf } from './summary.ts'
import { atMost, count, duration, number, oneLine } from './text.ts'

/** GitHub refuses a step's summary that is larger than 1 MiB. */
const MOST_FINDINGS = 50
const MOST_TEXT = 500
const MOST_COMMAND = 5000

/**
 * A run for the summary of a CI job: short, with details to open. Every text of the service stays text.
 *
 * @example
 * appendFileSync(process.env.GITHUB_STEP_SUMMARY, renderMarkdown(result))
 */
export function renderMarkdown(result: Result, { locate }: { readonly locate?: Locate } = {}): string {
  const sections = [
    `## ${exitCodeOf(result) === 0 ? '✅' : '❌'} ${escaped(summaryOf(result))}`,
    numbersOf(result),
    ...findingsOf(result, locate),
    details('Laws that were not assessed or masked', lawsOf(result)),
    details(verdictTitle(result), verdictsOf(result)),
    details('Coverage', coverageOf(result)),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function numbersOf(result: Result): string {
  const { failures, discoveries, baselined, held, broken, notAssessed, masked } = countsOf(result)
  return table(
    ['failures', 'discoveries', 'known', 'laws held', 'broken', 'not assessed', 'cases', 'masked', 'time'],
    [
      [failures, discoveries, baselined, held, broken, notAssessed, result.cases, masked]
        .map(number)
        .concat(duration(result.ms)),
    ],
  )
}

function findingsOf(result: Result, locate: Locate | undefined): string[] {
  const shown = result.findings.slice(0, MOST_FINDINGS).map((it) => findingOf(it, result, locate))
  const hidden = result.findings.length - shown.length
  return hidden > 0
    ? [...shown, `${count(hidden, 'more finding')}: the other reports have all of them.`]
    : shown
}

function findingOf(finding: Finding, result: Result, locate: Locate | undefined): string {
  const { id, law, kind, operation, message, advice, question, contract, evidence } = finding
  const at = locate?.(contract)
  const place = [contract && code(contract), at && code(`${at.file}:${at.line}`)].filter(Boolean).join(' at ')
  const facts = [code(id), question && `question ${code(question)}`, place, count(finding.count, 'case')]
  const title = `${fails(finding, result) ? '🔴' : '🟡'} ${kind}: ${[law, operation]
    .filter(Boolean)
    .map((it) => escaped(it ?? ''))
    .join(', ')}`
  const body = [escaped(message), escaped(advice), facts.filter(Boolean).join(', '), block(evidence.curl)]
  return details(title, body.join('\n\n'))
}

function lawsOf(result: Result): string {
  const laws = judgedLaws(result).filter(({ law, reason }) => reason || law.masked > 0)
  return table(
    ['law', 'why', 'masked'],
    laws.map(({ law, reason }) => [
      code(law.law),
      escaped(reason ?? ''),
      `${number(law.masked)} of ${number(law.cases)}`,
    ]),
  )
}

function verdictTitle({ verdicts }: Result): string {
  const of = (verdict: Verdict['verdict']) => verdicts.filter((it) => it.verdict === verdict).length
  return `Open questions: ${of('confirmed')} confirmed, ${of('contradicted')} contradicted, ${of('not-exercised')} not exercised`
}

const ORDER: readonly Verdict['verdict'][] = ['contradicted', 'confirmed', 'not-exercised']

function verdictsOf({ verdicts }: Result): string {
  const rows = ORDER.flatMap((verdict) => verdicts.filter((it) => it.verdict === verdict))
  return table(
    ['question', 'verdict', 'answer', 'seen'],
    rows.map((it) => [
      code(it.question),
      it.verdict.replace('-', ' '),
      escaped(it.answer),
      escaped(it.seen ?? ''),
    ]),
  )
}

function coverageOf(result: Result): string {
  const rows = sharesOf(result).map((it) => [
    it.name,
    `${number(it.seen)} of ${number(it.all)}`,
    `${percent(it) ?? '-'} %`,
  ])
  return table(['what', 'seen', ''], rows)
}

function details(title: string, body: string): string {
  return body && `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Whatever Markdown or HTML would read as its own, as entities: they are text everywhere, also in a table. */
function escaped(text: string): string {
  return atMost(oneLine(text), MOST_TEXT).replace(/[^\p{L}\p{N} .,;'’-]/gu, (it) => `&#${it.codePointAt(0)};`)
}

/** As `code` of HTML, since a span of backticks ends at the bars of a table. */
function code(text: string): string {
  return `<code>${escaped(text)}</code>`
}

/** Longer fences than any in the text. */
function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sh\n${atMost(oneLine(text), MOST_COMMAND)}\n${fence}`
}
