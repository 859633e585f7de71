import type { Result } from '../engine/result.ts'
import { percent, type Share, sharesOf } from './coverage.ts'
import type { Locate } from './locate.ts'
import { styleOf, wrap } from './style.ts'
import { countsOf, endOf, summaryOf } from './summary.ts'
import { endPart } from './terminal-end.ts'
import { findingsPart } from './terminal-findings.ts'
import { list, type Row, type Terminal } from './terminal-parts.ts'
import { rulesPart } from './terminal-rules.ts'
import { verdictsPart } from './terminal-verdicts.ts'
import { count, duration, number, oneLine } from './text.ts'

/** How a report is shown on a terminal. */
export interface TerminalOptions {
  /** Whether colours may be used; NO_COLOR and a pipe are for the caller to look at. Default: false. */
  readonly color?: boolean
  /** Columns. Default: 80. */
  readonly width?: number
  /** Where findings are in the contract. */
  readonly locate?: Locate
  /** Groups of findings of each kind that are shown; of the others, how many findings there are. Default: 50. */
  readonly limit?: number
  /** Whether everything is shown: each rule that was not assessed, each id, what cases were masked for. Default: false. */
  readonly verbose?: boolean
  /** Whether the run was about a part alone, so that what it did not exercise says nothing. Default: false. */
  readonly isPart?: boolean
  /** The file of the HTML report, where one was written. */
  readonly html?: string
}

/**
 * A run for people: the summary first, then failures, deviations, rules, verdicts on the open questions, coverage, and
 * where to begin.
 * What is not assessed, and what is masked, is told apart from what passed.
 *
 * @example
 * process.stdout.write(renderTerminal(result, { color: process.stdout.isTTY, width: process.stdout.columns }))
 */
export function renderTerminal(result: Result, options: TerminalOptions = {}): string {
  const terminal = terminalOf(options)
  const parts = [
    headPart(result, terminal),
    findingsPart('failure', result, terminal),
    findingsPart('deviation', result, terminal),
    rulesPart(result, terminal),
    verdictsPart(result, terminal),
    list('Coverage', sharesOf(result).map(coverageRow), terminal),
    endPart(result, terminal),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** The findings alone, as `renderTerminal` shows them; empty where there are none. */
export function renderFindings(result: Result, options: TerminalOptions = {}): string {
  const terminal = terminalOf(options)
  const parts = [findingsPart('failure', result, terminal), findingsPart('deviation', result, terminal)]
  const text = parts.filter(Boolean).join('\n\n')
  return text && `${text}\n`
}

function terminalOf(options: TerminalOptions): Terminal {
  const { color = false, width = 80, locate, limit = 50, verbose = false, isPart = false, html } = options
  return { style: styleOf(color), width, locate, limit, verbose, isPart, html }
}

const COLORS = { fine: 'green', failed: 'red', interrupted: 'yellow' } as const

function headPart(result: Result, { style, width }: Terminal): string {
  const color = COLORS[endOf(result)]
  const lines = [runLine(result), rulesLine(result)].map((line) => wrap(line, width, ''))
  return [style(['bold', color], wrap(summaryOf(result), width, '')), ...lines].join('\n')
}

function runLine({ contract, cases, requests, ms, seed, shard, strict }: Result): string {
  const rate = ms > 0 ? `, ${number(Math.round((1000 * requests) / ms))} a second` : ''
  const how = [`seed ${seed}`, shard && `shard ${oneLine(shard)}`, strict && 'strict']
    .filter(Boolean)
    .join(', ')
  const what = `${count(cases, 'case')}, ${count(requests, 'request')} in ${duration(ms)}${rate}`
  return `${oneLine(contract.title)} ${oneLine(contract.version)}: ${what}; ${how}.`
}

function rulesLine(result: Result): string {
  const { passed, failed, notAssessed, inconclusive, baselined } = countsOf(result)
  const lines = [
    `${count(passed, 'rule')} passed, ${number(failed)} broken, ${number(notAssessed)} not assessed.`,
    inconclusive > 0 ? `${count(inconclusive, 'case')} masked: neither passed nor failed.` : '',
    baselined > 0 ? `The baseline lets ${count(baselined, 'finding')} pass.` : '',
  ]
  return lines.filter(Boolean).join(' ')
}

function coverageRow(share: Share): Row {
  const part = percent(share)
  if (part === undefined) return [share.name, 'none to see']
  return [share.name, `${number(share.seen)} of ${number(share.all)} (${part} %)`]
}
