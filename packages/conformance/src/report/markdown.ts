import type { Result, Verdict } from '../engine/result.ts'
import { again, answeredOf } from './again.ts'
import { percent, sharesOf } from './coverage.ts'
import { type Group, groupsOf, rulesIn } from './groups.ts'
import type { Locate } from './locate.ts'
import { judgedRules, maskingsOf } from './rule-results.ts'
import { countsOf, fails, signOf, summaryOf } from './summary.ts'
import { atMost, count, duration, number, oneLine } from './text.ts'

/** GitHub refuses a step's summary that is larger than 1 MiB. */
const MOST_FINDINGS = 50
/** Ids of a group that are shown besides the first. */
const MOST_IDS = 30
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
    `## ${signOf(result)} ${headlineOf(result)}`,
    numbersOf(result),
    overviewOf(result),
    ...findingsOf(result, locate),
    knownPart(result),
    signInPart(result),
    details('Rules that were not assessed or masked', rulesOf(result)),
    details(verdictTitle(result), verdictsOf(result)),
    details('Coverage', coverageOf(result)),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function numbersOf(result: Result): string {
  const { failures, deviations, baselined, passed, failed, notAssessed, inconclusive } = countsOf(result)
  return table(
    [
      'failures',
      'deviations',
      'known',
      'rules passed',
      'failed',
      'not assessed',
      'cases',
      'inconclusive',
      'later',
    ],
    [
      [failures, deviations, baselined, passed, failed, notAssessed, result.cases, inconclusive]
        .map(number)
        .concat(duration(result.ms)),
    ],
  )
}

/** What was found, at a glance: rule, what it says, and of which operations. */
function overviewOf({ findings }: Result): string {
  const rows = groupsOf(findings)
    .slice(0, MOST_FINDINGS)
    .map(({ first, operations, findings: all }) => [
      code(first.rule),
      escaped(first.message),
      operations.length > 0 ? operations.map(code).join(' ') : 'all',
      number(all.length),
    ])
  return table(['rule', 'what', 'operations', 'findings'], rows)
}

function findingsOf(result: Result, locate: Locate | undefined): string[] {
  const groups = groupsOf(result.findings)
  const shown = groups.slice(0, MOST_FINDINGS).map((it) => groupOf(it, result, locate))
  const hidden = groups.slice(MOST_FINDINGS).flatMap(({ findings }) => findings)
  return hidden.length > 0
    ? [...shown, `${count(hidden.length, 'more finding')}: the other reports have all of them.`]
    : shown
}

function groupOf(
  { first, findings, operations, follows }: Group,
  result: Result,
  locate: Locate | undefined,
): string {
  const { rule, kind, message, advice, question, contract, evidence } = first
  const at = locate?.(contract)
  const place = [contract && code(contract), at && code(`${at.file}:${at.line}`)].filter(Boolean).join(' at ')
  const cases = findings.reduce((sum, it) => sum + it.count, 0)
  const facts = [code(first.id), question && `question ${code(question)}`, place, count(cases, 'case')]
  const where =
    operations.length > 3 ? count(operations.length, 'operation') : operations.map(escaped).join(', ')
  const title = `${fails(first, result) ? '🔴' : '🟡'} ${kind}: ${escaped(rule)}${where && `, ${where}`}: ${escaped(message)}`
  const others = findings.slice(1, 1 + MOST_IDS).map(({ id }) => code(id))
  const body = [
    escaped(advice),
    facts.filter(Boolean).join(', '),
    escaped(answeredOf(evidence)),
    others.length > 0 && `The same: ${others.join(', ')}${findings.length - 1 > MOST_IDS ? ' and more' : ''}`,
    follows.length > 0 && `Follows from it: ${escaped(rulesIn(follows))}`,
    block(again(first)),
  ]
  return details(title, body.filter(Boolean).join('\n\n'))
}

function knownPart({ baselined }: Result): string {
  const rows = baselined
    .slice(0, MOST_FINDINGS)
    .map(({ id, message, until, why }) => [code(id), escaped(message), escaped(until), escaped(why)])
  return details(
    `${count(baselined.length, 'known finding')} that the baseline lets pass`,
    table(['finding', 'what', 'until', 'why'], rows),
  )
}

/** How to get what the commands name. */
function signInPart({ signIn, findings }: Result): string {
  if (signIn === undefined || findings.length === 0) return ''
  return details('How to get $TOKEN and $CREDENTIALS', blockOf(signIn.split('\n').map(oneLine).join('\n')))
}

function rulesOf(result: Result): string {
  const rules = judgedRules(result).filter(({ rule, reason }) => reason || rule.inconclusive > 0)
  return table(
    ['rule', 'why', 'inconclusive'],
    rules.map(({ rule, reason }) => [
      code(rule.rule),
      escaped([reason, maskingsOf(rule)].filter(Boolean).join('; ')),
      `${number(rule.inconclusive)} of ${number(rule.cases)}`,
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

/** The URL in it is the caller's own, and may be a link. */
function headlineOf(result: Result): string {
  return escaped(summaryOf(result)).replaceAll('&#58;//', '://')
}

/**
 * What Markdown or HTML would read as its own, as entities: it is text everywhere, also in a table. Of `_`, `#` and the
 * like only what stands where it means something; names are not called and addresses not made into links.
 */
function escaped(text: string): string {
  return atMost(oneLine(text), MOST_TEXT).replace(
    /[&<>|`*[\]\\{}~$@]|(?<!\w)_|_(?!\w)|^[#+=-]|^\d+(?=[.)] )|(?<=\w)#|:(?=\/\/)|(?<=\bwww)\./gi,
    entities,
  )
}

function entities(characters: string): string {
  return [...characters].map((it) => `&#${it.codePointAt(0)};`).join('')
}

/** As `code` of HTML, since a span of backticks ends at the bars of a table. */
function code(text: string): string {
  return `<code>${escaped(text)}</code>`
}

/** Longer fences than any in the text. */
function block(text: string): string {
  return blockOf(atMost(oneLine(text), MOST_COMMAND))
}

function blockOf(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sh\n${text}\n${fence}`
}
