import type { Row } from './run.ts'
import type { Unsupported } from './unsupported.ts'

/** The result of a run of the suite. */
export interface Report {
  /** A line for each file: cases, supported, unsupported. */
  readonly lines: readonly string[]
  /** Cases whose result differs from the list of unsupported cases. */
  readonly unexpected: readonly string[]
}

/** Counts the supported cases of each file and compares the others with the list of unsupported cases. */
export function tableOf(rows: readonly Row[], unsupported: readonly Unsupported[]): Report {
  const known = new Set(unsupported.flatMap(({ file, cases }) => cases.map((it) => `${file}: ${it}`)))
  const failed = new Set(rows.flatMap(({ file, wrong }) => wrong.map((it) => `${file}: ${it}`)))
  const unexpected = [
    ...[...failed].filter((it) => !known.has(it)).map((it) => `unexpected failure: ${it}`),
    ...[...known].filter((it) => !failed.has(it)).map((it) => `unexpected pass: ${it}`),
  ]
  const lines = [...rows.map(lineOf), lineOf(totalOf(rows, 'total'))]
  return { lines: ['cases  supported  unsupported  file', ...lines], unexpected }
}

function lineOf({ file, cases, wrong }: Row): string {
  const counts = [cases, cases - wrong.length, wrong.length].map(String)
  return `${counts[0]?.padStart(5)}  ${counts[1]?.padStart(9)}  ${counts[2]?.padStart(11)}  ${file}`
}

function totalOf(rows: readonly Row[], file: string): Row {
  return {
    file,
    cases: rows.reduce((sum, row) => sum + row.cases, 0),
    wrong: rows.flatMap(({ wrong }) => wrong),
  }
}
