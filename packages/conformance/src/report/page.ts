import { listVariableCommands } from './findings.ts'
import type { Verdict } from './report.ts'
import type { Result, RuleResult } from './result.ts'
import { countResults, groupRulesBySubject, listShares, writeStatus } from './summary.ts'
import { count, number, oneLine } from './text.ts'

/** A section of the reports that people read: the terminal, HTML and Markdown. */
export interface Section {
  readonly id: 'rules' | 'questions' | 'coverage'
  readonly title: string
  /** The section in half a sentence. */
  readonly brief: string
  readonly parts: readonly Part[]
}

/** A part of a section: a sentence, a table, or something that can be unfolded. */
export type Part = string | Table | Fold

/** A table with typed columns, by their titles. */
export interface Table {
  /**
   * How a format may show the cells below a title; a `bar` is a percentage, and `text` has whole
   * sentences.
   */
  readonly columns: Readonly<Record<string, Column>>
  readonly rows: readonly (readonly Cell[])[]
}

export type Column = 'name' | 'rule' | 'code' | 'number' | 'result' | 'bar' | 'text'
/** A note is smaller text below a cell, in formats with enough space. */
export type Cell = string | readonly [text: string, note: string | undefined]

/** Reads the text of a cell without its note. */
export function readText(cell: Cell = ''): string {
  return typeof cell === 'string' ? cell : cell[0]
}

/** Reads the note of a cell, if it has one. */
export function readNote(cell: Cell): string | undefined {
  return typeof cell === 'string' ? undefined : cell[1]
}

/** What is shown on demand; a terminal shows its names, or its commands. */
export interface Fold {
  readonly title: string
  readonly fold: Table | { readonly commands: string }
}

/**
 * Builds the parts of a report below the findings: the findings that the baseline accepts, and the commands
 * that set the variables of the curl commands. Empty parts are left out.
 */
export function buildPartsBelowFindings(result: Result): Part[] {
  const { baselined } = result
  return withoutEmpty([
    {
      title: `${count(baselined.length, 'finding')} that the baseline accepts`,
      fold: {
        columns: { Finding: 'code', Message: 'text', Until: 'name', Why: 'text' },
        rows: baselined.map(({ id, message, until, why }) => [id, message, until, why]),
      },
    },
    {
      title: 'Set the variables of the commands',
      fold: { commands: listVariableCommands(result).map(oneLine).join('\n') },
    },
  ])
}

/** Builds all that a report says besides the findings. What needs a look is shown, the rest is folded. */
export function buildSections(result: Result): Section[] {
  return [buildRulesSection(result), buildQuestionsSection(result), buildCoverageSection(result)]
}

/** Leaves out parts that would unfold nothing. */
function withoutEmpty(parts: readonly Part[]): Part[] {
  return parts.filter((part) => {
    if (typeof part === 'string' || 'columns' in part) return true
    if ('commands' in part.fold) return part.fold.commands !== ''
    return part.fold.rows.length > 0
  })
}

/**
 * Builds the section of a report about the rules: tables by subject and by outcome, and the reasons why
 * requests were not sent.
 */
function buildRulesSection(result: Result): Section {
  const { passed, failed, inconclusive, notAssessed } = countResults(result)
  const tableOfRules = (status: RuleResult['status']) =>
    buildRuleTable(result.rules.filter((rule) => rule.status === status))
  const inconclusiveTitle = `${count(inconclusive, 'rule')} inconclusive: requests were sent, and none gave a case`
  const notSent = { columns: { Why: 'text' }, rows: result.notSent.map((why) => [why]) } as const
  return {
    id: 'rules',
    title: 'Rules',
    brief: `${passed} passed, ${failed} failed, ${inconclusive} inconclusive, ${notAssessed} not assessed`,
    parts: withoutEmpty([
      buildSubjectTable(result),
      failed === 0 ? 'No rule failed.' : tableOfRules('failed'),
      { title: inconclusiveTitle, fold: tableOfRules('inconclusive') },
      { title: `${count(notAssessed, 'rule')} not assessed`, fold: tableOfRules('not-assessed') },
      { title: `${count(passed, 'rule')} passed`, fold: tableOfRules('passed') },
      { title: 'Not sent', fold: notSent },
    ]),
  }
}

/**
 * Builds the section of a report about the open questions: tables by verdict, and the service's own names
 * and places that were learned, its form.
 */
function buildQuestionsSection({ verdicts, form }: Result): Section {
  const ownForm = {
    columns: { Name: 'code', Value: 'code', Question: 'code' },
    rows: form.map(({ name, value, question }) => [name, value, question]),
  } as const
  const byVerdict = Object.groupBy(verdicts, ({ verdict }) => verdict)
  const {
    contradicted = [],
    confirmed = [],
    'partly-confirmed': partlyConfirmed = [],
    'not-exercised': notExercised = [],
  } = byVerdict
  return {
    id: 'questions',
    title: 'Open questions',
    brief: `${confirmed.length} confirmed, ${partlyConfirmed.length} in part, ${contradicted.length} contradicted, ${notExercised.length} not exercised`,
    parts: withoutEmpty([
      contradicted.length === 0 ? 'None is contradicted.' : buildVerdictTable(contradicted),
      { title: 'The form of the service, in which it was read', fold: ownForm },
      { title: `${confirmed.length} confirmed`, fold: buildVerdictTable(confirmed) },
      {
        title: `${partlyConfirmed.length} confirmed in part`,
        fold: buildVerdictTable(partlyConfirmed),
      },
      { title: `${notExercised.length} not exercised`, fold: buildVerdictTable(notExercised) },
    ]),
  }
}

/**
 * Builds the section of a report about coverage: which part of the operations, statuses, rules and questions
 * was observed, and the requests of each operation.
 */
function buildCoverageSection(result: Result): Section {
  const shares = listShares(result)
  // Of nothing, all was observed.
  const findPercent = (gate: string) => shares.find((share) => share.gate === gate)?.percent ?? 100
  return {
    id: 'coverage',
    title: 'Coverage',
    brief: `${findPercent('operations')} % of operations, ${findPercent('rows')} % of statuses`,
    parts: [buildShareTable(shares), buildOperationTable(result)],
  }
}

/** Builds the table with the observed part of the operations, statuses, rules and questions. */
function buildShareTable(shares: ReturnType<typeof listShares>): Table {
  return {
    columns: { What: 'name', Observed: 'number', Percent: 'bar' },
    rows: shares.map(({ name, seen, all, percent = '' }) => [
      name,
      `${seen} of ${all}`,
      `${percent}`,
    ]),
  }
}

/** Builds the table of the operations, with the requests of each and the statuses that it never had. */
function buildOperationTable({ coverage }: Result): Table {
  return {
    columns: {
      Operation: 'code',
      Requests: 'number',
      Successes: 'number',
      'Never returned': 'name',
    },
    rows: coverage.operations.map(({ operation, requests, successes }) => [
      operation,
      number(requests),
      number(successes),
      listNeverReturned(operation, coverage),
    ]),
  }
}

/** Lists the declared statuses of an operation that no response had: `404, 429`. */
function listNeverReturned(operation: string, { rows }: Result['coverage']): string {
  const unseen = rows.filter((row) => row.operation === operation && row.seen === 0)
  return unseen.map(({ status }) => status).join(', ')
}

/** Builds the table with the number of rules by subject and outcome. */
function buildSubjectTable(result: Result): Table {
  return {
    columns: {
      'Rules by subject': 'name',
      passed: 'number',
      failed: 'number',
      inconclusive: 'number',
      'not assessed': 'number',
      cases: 'number',
      findings: 'number',
    },
    rows: groupRulesBySubject(result).map(([subject, rules]) =>
      buildSubjectRow(subject, rules, result),
    ),
  }
}

/** Builds the row of a subject: how many of its rules have each status, its cases and its findings. */
function buildSubjectRow(
  subject: string,
  rules: readonly RuleResult[],
  { findings }: Result,
): readonly string[] {
  const countRules = (status: RuleResult['status']) =>
    number(rules.filter((rule) => rule.status === status).length)
  const ids = new Set(rules.map(({ rule }) => rule))
  const cases = rules.reduce((sum, rule) => sum + rule.cases, 0)
  return [
    subject,
    countRules('passed'),
    countRules('failed'),
    countRules('inconclusive'),
    countRules('not-assessed'),
    number(cases),
    number(findings.filter(({ rule }) => ids.has(rule)).length),
  ]
}

/** Builds the table of some rules, with the outcome and the cases of each. */
function buildRuleTable(rules: readonly RuleResult[]): Table {
  return {
    columns: { Rule: 'rule', Result: 'result', Cases: 'number' },
    rows: rules.map(({ rule, says, status, cases }) => [
      [rule, says],
      writeStatus(status),
      number(cases),
    ]),
  }
}

/** Builds the table of some open questions, with the verdict, the assumption and the cases of each. */
function buildVerdictTable(verdicts: readonly Verdict[]): Table {
  return {
    columns: { Question: 'code', Verdict: 'result', Assumption: 'text', Cases: 'number' },
    rows: verdicts.map((verdict) => [
      [verdict.question, verdict.text],
      writeStatus(verdict.verdict),
      [`${verdict.assumption} (${describeBasis(verdict)})`, buildObservationNote(verdict)],
      number(verdict.exercised),
    ]),
  }
}

/** Writes the basis of an assumption, or where and when it was observed. */
function describeBasis({ basis, observed }: Verdict): string {
  return observed === undefined ? basis : `${basis} ${observed}`
}

/**
 * Builds the note below an assumption, by its verdict: what contradicts it, which parts were not seen, or from
 * which values it was confirmed (`From 2 values: cpf, email`). Undefined if there is nothing to note.
 */
function buildObservationNote({ seen, verdict, values, unsettled }: Verdict): string | undefined {
  if (seen) return `Observed: ${seen}`
  if (verdict === 'partly-confirmed') return `Not seen: ${unsettled.join(', ')}`
  if (verdict !== 'confirmed' || values.length === 0) return undefined
  return `From ${count(values.length, 'value')}: ${values.join(', ')}`
}
