export { type BankHoliday, bankHolidays } from './money/days.ts'
