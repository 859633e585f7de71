/**
 * The dates in the examples of the contract, which are all of one day. What a reader copies or
 * sends has dates that are as far ahead of today.
 */

/** The day of the examples. */
export const DAY_OF_EXAMPLES = '2026-11-02'

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** How many days after the day of the examples a date is. */
function countDaysAhead(date: string): number {
  return (Date.parse(date) - Date.parse(DAY_OF_EXAMPLES)) / DAY_MS
}

/**
 * A copy of a value of an example with its dates moved to today. The examples were written for one
 * day: a due date ten days after that becomes the day ten days after `nowMs`.
 */
export function moveDates<Value>(value: Value, nowMs: number): Value {
  return JSON.parse(JSON.stringify(value), (_, child) => {
    if (typeof child !== 'string' || !DATE.test(child)) return child
    return new Date(nowMs + countDaysAhead(child) * DAY_MS).toISOString().slice(0, 10)
  })
}

type Language = 'curl' | 'TypeScript' | 'Python'

/** How a program writes a date that is some days ahead, and what it needs for that. */
interface Dialect {
  readonly quotedDate: RegExp
  writeDateAhead(days: number): string
  addHelpers(program: string, days: readonly number[]): string
}

const DIALECTS: Readonly<Record<Language, Dialect>> = {
  curl: {
    quotedDate: /"(\d{4}-\d{2}-\d{2})"/g,
    // Ends the quoted body, and begins it again.
    writeDateAhead: (days) => `"'$(in_days ${days})'"`,
    addHelpers: (program) => `${IN_DAYS_SH}\n\n${program}`,
  },
  TypeScript: {
    quotedDate: /'(\d{4}-\d{2}-\d{2})'/g,
    writeDateAhead: (days) => `in${days}Days`,
    addHelpers: (program, days) => {
      const lines = days.map(
        (count) =>
          `const in${count}Days = new Date(Date.now() + ${count} * DAY_MS).toISOString().slice(0, 10)\n`,
      )
      return withBlock(program, `const DAY_MS = 24 * 60 * 60 * 1000\n${lines.join('')}`)
    },
  },
  Python: {
    quotedDate: /"(\d{4}-\d{2}-\d{2})"/g,
    writeDateAhead: (days) => `in_days(${days})`,
    addHelpers: (program) => {
      const imported = program.replace(
        'import sys\n',
        'import sys\nfrom datetime import date, timedelta\n',
      )
      return imported.replace('import httpx\n', `import httpx\n\n\n${IN_DAYS_PY}\n\n`)
    },
  },
}

/** The first is of GNU, the second of BSD and macOS. */
const IN_DAYS_SH = 'in_days() { date -d "$1 days" +%F 2>/dev/null || date -v "+$1d" +%F; }'

const IN_DAYS_PY = `def in_days(days):
    return (date.today() + timedelta(days=days)).isoformat()
`

/** Adds a block after the settings of a program, which the first empty line but one ends. */
function withBlock(program: string, block: string): string {
  const [imports = '', settings = '', ...rest] = program.split('\n\n')
  return [imports, settings, block + rest[0], ...rest.slice(1)].join('\n\n')
}

/**
 * A program that computes its dates when it runs: instead of the date of an example, such as
 * `"2026-11-12"`, it has `in_days(10)`, with the helper for that. The service refuses a due date in
 * the past. A program without dates stays as it is.
 */
export function withRelativeDates(language: Language, program: string): string {
  const dialect = DIALECTS[language]
  const allDays = new Set<number>()
  const relative = program.replaceAll(dialect.quotedDate, (_, date) => {
    const days = countDaysAhead(date)
    allDays.add(days)
    return dialect.writeDateAhead(days)
  })
  if (allDays.size === 0) return program

  const sortedDays = [...allDays].sort((one, other) => one - other)
  return dialect.addHelpers(relative, sortedDays)
}
