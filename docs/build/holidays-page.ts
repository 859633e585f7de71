import { bankHolidays } from '@partner-payments/sandbox/holidays'
import { paragraphs, table } from './text.ts'

/** The bank holidays that the sandbox counts, in a year and the next one. */
export function holidaysPage(year: number) {
  const years = [year, year + 1]
  const title = 'Bank holidays'
  const summary = `The days of ${years.join(' and ')} on which banks are closed in all of Brazil, as the sandbox counts them.`
  return {
    path: 'guides/bank-holidays.md',
    title,
    summary,
    section: 'guides',
    text: paragraphs(`# ${title}`, summary, RULES, years.map(writeTable)),
  }
}

const RULES = `A business day is a day from Monday to Friday that is not in these tables. If the due date of a charge is no business day, the
next business day counts. So it is for the date of a discount, and for the last day on which a charge can be paid. {{assumption:final-amount}}
{{assumption:due-date-fields}}

**Local holidays, of a state or a city, are not counted.** {{assumption:late-days}} A service may count those of the payer.

The holidays are those of Leis 662/1949, 6.802/1980 and 14.759/2023, and of Resolução CMN 4.880/2020.`

/** The bank holidays of one year. */
function writeTable(year: number): string {
  const rows = bankHolidays(year).map(({ day, name }) => [
    `<time>${day}</time>`,
    nameWeekday(day),
    name,
  ])
  return table(`## ${year}`, ['Day', 'Weekday', 'Holiday'], rows)
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

function nameWeekday(day: string): string {
  return weekday.format(Date.parse(day))
}
