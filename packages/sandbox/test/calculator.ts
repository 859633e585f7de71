/**
 * An independent calculator of Brazilian due-date Pix charges (cobv).
 *
 * It follows two documents, and cites them by these names:
 * - Annex III: Manual de Padrões para Iniciação do Pix 2.10.0, annex III.
 * - Pix API: bacen/pix-api 2.9.0, openapi.yaml.
 *
 * A day is a YYYY-MM-DD string, compared as a string. Days are counted by walking from
 * one to the next, never by subtracting, and no Date is used. Money is bigint centavos.
 */

export type Adjustment = { modality: string; amount: string }
export type DatedAmount = { date: string; amount: string }
export type Discount = { modality: string; amount?: string; fixedDateDiscount?: DatedAmount[] }

export type Charge = {
  original: string
  due_date: string
  deduction?: Adjustment
  discount?: Discount
  interest?: Adjustment
  fine?: Adjustment
}

export type Amounts = {
  deduction: bigint
  discount: bigint
  interest: bigint
  fine: bigint
  final: bigint
}

export type RandomCharge = {
  charge: Charge
  on: string
  expiration_days: number
  /** The final amount on `on` is zero or less: Annex III section 3 says not to create such a charge. */
  reachesWhole?: true
  /** Overdue, but no business day has passed since: the standards disagree whether the fine is due. */
  fineDisputed?: true
  /** The fixed dates are not in ascending order: Annex III 4.2.1 takes the order for granted. */
  unsortedDates?: true
}

// ---------------------------------------------------------------- the calendar

/** The days of a month in the Gregorian calendar. */
function daysOfMonth(year: number, month: number): number {
  if (month === 2) {
    const leap = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)
    return leap ? 29 : 28
  }

  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Reads a day into its numbers, and refuses a day that the calendar does not have. */
function numbersOf(day: string): { year: number; month: number; dayOfMonth: number } {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!parts) throw new RangeError(`not a YYYY-MM-DD day: ${day}`)

  const year = Number(parts[1])
  const month = Number(parts[2])
  const dayOfMonth = Number(parts[3])
  if (year < 1900 || year > 2199) throw new RangeError(`year out of range: ${day}`)
  if (month < 1 || month > 12) throw new RangeError(`no such month: ${day}`)
  if (dayOfMonth < 1 || dayOfMonth > daysOfMonth(year, month))
    throw new RangeError(`no such day: ${day}`)

  return { year, month, dayOfMonth }
}

/** Writes the numbers of a day as YYYY-MM-DD. */
function dayOf(year: number, month: number, dayOfMonth: number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
}

/** The day after. */
function tomorrow(day: string): string {
  const { year, month, dayOfMonth } = numbersOf(day)
  if (dayOfMonth < daysOfMonth(year, month)) return dayOf(year, month, dayOfMonth + 1)
  if (month < 12) return dayOf(year, month + 1, 1)

  return dayOf(year + 1, 1, 1)
}

/** The day before. */
function yesterday(day: string): string {
  const { year, month, dayOfMonth } = numbersOf(day)
  if (dayOfMonth > 1) return dayOf(year, month, dayOfMonth - 1)
  if (month > 1) return dayOf(year, month - 1, daysOfMonth(year, month - 1))

  return dayOf(year - 1, 12, 31)
}

/** Walks a number of calendar days, forwards, or backwards when it is negative. */
function walk(day: string, steps: number): string {
  let reached = day
  for (let step = 0; step < steps; step += 1) reached = tomorrow(reached)
  for (let step = 0; step > steps; step -= 1) reached = yesterday(reached)
  return reached
}

/** The day of the week by Zeller's congruence: 0 Saturday, 1 Sunday, 2 Monday, up to 6 Friday. */
function dayOfWeek(day: string): number {
  const { year, month, dayOfMonth } = numbersOf(day)
  const zellerYear = month < 3 ? year - 1 : year
  const zellerMonth = month < 3 ? month + 12 : month
  const leaps =
    Math.floor(zellerYear / 4) - Math.floor(zellerYear / 100) + Math.floor(zellerYear / 400)

  return (dayOfMonth + Math.floor((13 * (zellerMonth + 1)) / 5) + zellerYear + leaps) % 7
}

/** Easter: the first Sunday after the paschal full moon, by Gauss's moon of 1900 to 2199. */
function easterOf(year: number): string {
  const golden = year % 19
  let moonAge = (19 * golden + 24) % 30
  if (moonAge === 29 || (moonAge === 28 && golden > 10)) moonAge -= 1

  let day = tomorrow(walk(dayOf(year, 3, 21), moonAge))
  while (dayOfWeek(day) !== 1) day = tomorrow(day)
  return day
}

const holidaysByYear = new Map<number, Set<string>>()

/**
 * The days of a year on which banks do not work: the national holidays, and Carnival
 * Monday and Tuesday and Corpus Christi, which are holidays of banks (CMN 4.880/2020).
 * 20 November is national since 2024 (law 14.759/2023). No state or municipal holiday.
 */
function holidaysOf(year: number): Set<string> {
  const cached = holidaysByYear.get(year)
  if (cached) return cached

  const holidays = new Set(
    ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'].map(
      (date) => `${year}-${date}`,
    ),
  )
  if (year >= 2024) holidays.add(`${year}-11-20`)

  const easter = easterOf(year)
  holidays.add(walk(easter, -48)) // Carnival Monday
  holidays.add(walk(easter, -47)) // Carnival Tuesday
  holidays.add(walk(easter, -2)) // Good Friday
  holidays.add(walk(easter, 60)) // Corpus Christi

  holidaysByYear.set(year, holidays)
  return holidays
}

/** Whether banks work on a day. Annex III section 3, dataDeVencimento: no weekend, no holiday. */
export function isBusinessDay(day: string): boolean {
  const weekday = dayOfWeek(day)
  if (weekday === 0 || weekday === 1) return false

  return !holidaysOf(numbersOf(day).year).has(day)
}

/** The same day if banks work on it, else the next one on which they do. Annex III section 3. */
function movedToBusinessDay(day: string): string {
  let moved = day
  while (!isBusinessDay(moved)) moved = tomorrow(moved)
  return moved
}

/**
 * The last day, inclusive, on which a charge can be paid. Pix API, CobDataDeVencimento,
 * examples A to G: the days are calendar days from the moved due date, and the day
 * they end on moves too.
 */
export function payableUntil(due_date: string, expiration_days: number): string {
  if (!Number.isInteger(expiration_days) || expiration_days < 0) {
    throw new RangeError(`not a number of days: ${expiration_days}`)
  }

  return movedToBusinessDay(walk(movedToBusinessDay(due_date), expiration_days))
}

/**
 * The days after `from`, up to and including `to`, that count; none when `to` is not later.
 * Annex III equations 5, 6, 9 and 10 (the days between, and zero when negative).
 */
function daysPassed(from: string, to: string, counts: 'calendar' | 'business'): bigint {
  let passed = 0n
  for (let day = from; day < to; ) {
    day = tomorrow(day)
    if (counts === 'calendar' || isBusinessDay(day)) passed += 1n
  }
  return passed
}

// ---------------------------------------------------------------- the amounts

/**
 * Reads an amount or a percentage as an integer of hundredths: centavos, or hundredths
 * of a percent. Pix API, the pattern of valor.original and of every valorPerc.
 */
function hundredths(amount: string | undefined): bigint {
  if (amount === undefined || !/^\d{1,10}\.\d{2}$/.test(amount))
    throw new RangeError(`not an amount: ${amount}`)

  return BigInt(amount.replace('.', ''))
}

/** A percentage, in hundredths of a percent, of an amount, truncated to centavos. Annex III 4. */
function percentageOf(amount: bigint, percentage: bigint): bigint {
  return (amount * percentage) / 10_000n
}

/** Va, the deduction. Annex III 4.1, equation 2. */
function deductionOf(charge: Charge): bigint {
  if (!charge.deduction) return 0n

  const rate = hundredths(charge.deduction.amount)
  if (charge.deduction.modality === '1') return rate
  if (charge.deduction.modality === '2') return percentageOf(hundredths(charge.original), rate)

  throw new RangeError(`no such deduction modality: ${charge.deduction.modality}`)
}

/**
 * The entry of a fixed-date discount that applies on a day: of those whose date, moved to a
 * business day, has not passed, the one with the earliest date. Annex III 4.2.1.
 */
function applicableEntry(entries: DatedAmount[], day: string): DatedAmount | undefined {
  let earliest: DatedAmount | undefined
  for (const entry of entries) {
    if (movedToBusinessDay(entry.date) < day) continue
    if (!earliest || entry.date < earliest.date) earliest = entry
  }
  return earliest
}

/** Vd, the discount, of an amount less its deduction. Annex III 4.2, equations 3, 4 and 7. */
function discountOf(charge: Charge, base: bigint, day: string): bigint {
  if (!charge.discount) return 0n

  const { modality, amount, fixedDateDiscount } = charge.discount

  if (modality === '1' || modality === '2') {
    if (!fixedDateDiscount || fixedDateDiscount.length === 0)
      throw new RangeError('a discount without its dates')

    const entry = applicableEntry(fixedDateDiscount, day)
    if (!entry) return 0n
    return modality === '1'
      ? hundredths(entry.amount)
      : percentageOf(base, hundredths(entry.amount))
  }

  const due = movedToBusinessDay(charge.due_date)

  if (modality === '3') return hundredths(amount) * daysPassed(day, due, 'calendar')
  if (modality === '4') return hundredths(amount) * daysPassed(day, due, 'business')
  if (modality === '5')
    return percentageOf(base, hundredths(amount) * daysPassed(day, due, 'calendar'))
  if (modality === '6')
    return percentageOf(base, hundredths(amount) * daysPassed(day, due, 'business'))

  throw new RangeError(`no such discount modality: ${modality}`)
}

/** The kind of days that an interest modality counts. Annex III section 3, valor.juros.modalidade. */
function daysOfInterest(modality: string): 'calendar' | 'business' {
  if (['1', '2', '3', '4'].includes(modality)) return 'calendar'
  if (['5', '6', '7', '8'].includes(modality)) return 'business'

  throw new RangeError(`no such interest modality: ${modality}`)
}

/** n: the days of the period to which a percentage of interest refers. Annex III 4.3.2. */
function periodOfInterest(modality: string): bigint {
  if (modality === '2' || modality === '6') return 1n
  if (modality === '3') return 30n
  if (modality === '7') return 21n
  if (modality === '4') return 360n
  if (modality === '8') return 252n

  throw new RangeError(`no percentage of interest has the modality ${modality}`)
}

/**
 * Vj, the interest, of an amount less its deduction. Annex III 4.3, equations 8 and 11: the
 * factor (rate / 100 / n x days) is truncated to six decimals, then the interest to centavos.
 */
function interestOf(charge: Charge, base: bigint, day: string): bigint {
  if (!charge.interest) return 0n

  const { modality, amount } = charge.interest
  const late = daysPassed(movedToBusinessDay(charge.due_date), day, daysOfInterest(modality))

  if (modality === '1' || modality === '5') return hundredths(amount) * late

  const millionths = (hundredths(amount) * late * 100n) / periodOfInterest(modality)
  return (base * millionths) / 1_000_000n
}

/**
 * Vm, the fine, of an amount less its deduction, once. Annex III 4.4, equations 12 to 14.
 * k is 1 when a day has passed, of the kind that the interest counts: with interest by business
 * day, no fine is due yet on the weekend after. Without interest the annex is silent: calendar days.
 */
function fineOf(charge: Charge, base: bigint, day: string): bigint {
  if (!charge.fine) return 0n

  const { modality, amount } = charge.fine
  if (modality !== '1' && modality !== '2')
    throw new RangeError(`no such fine modality: ${modality}`)

  const kind = charge.interest ? daysOfInterest(charge.interest.modality) : 'calendar'
  if (daysPassed(movedToBusinessDay(charge.due_date), day, kind) === 0n) return 0n

  return modality === '1' ? hundredths(amount) : percentageOf(base, hundredths(amount))
}

/**
 * What is due on a day, part by part, in centavos. Annex III section 4, equation 1.
 * The final amount is what the equation gives, and so may be zero or less.
 */
export function amountsDue(charge: Charge, day: string): Amounts {
  numbersOf(day) // refuses an invalid day

  const original = hundredths(charge.original)
  const deduction = deductionOf(charge)

  const base = original - deduction
  const discount = discountOf(charge, base, day)
  const interest = interestOf(charge, base, day)
  const fine = fineOf(charge, base, day)

  return {
    deduction,
    discount,
    interest,
    fine,
    final: original - deduction - discount + interest + fine,
  }
}

// ---------------------------------------------------------------- random charges

/** An integer between two, both included. */
function integer(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

/** One of a list. */
function oneOf<T>(random: () => number, choices: readonly T[]): T {
  return choices[integer(random, 0, choices.length - 1)] as T
}

/** Writes hundredths as an amount. */
function formatHundredths(value: bigint): string {
  return `${value / 100n}.${String(value % 100n).padStart(2, '0')}`
}

/** Hundredths from 0.01 to a greatest, with as many small ones as large ones. */
function randomHundredths(random: () => number, greatest: bigint): bigint {
  const value = BigInt(Math.floor(Math.exp(random() * Math.log(Number(greatest) + 1))))
  if (value < 1n) return 1n

  return value > greatest ? greatest : value
}

/** A due date of 2020 to 2035. */
function randomDueDate(random: () => number): string {
  const day = randomDayNear(random, integer(random, 2020, 2035))
  return day < '2020-01-01' || day > '2035-12-31' ? randomDueDate(random) : day
}

/** A day of a year, or a few days outside it; seven in ten are where the calendar is hard. */
function randomDayNear(random: () => number, year: number): string {
  const anyDay = walk(dayOf(year, 1, 1), integer(random, 0, 364))
  if (random() < 0.3) return anyDay

  const kind = integer(random, 1, 6)

  // A weekend.
  if (kind === 1) {
    let day = anyDay
    while (dayOfWeek(day) > 1) day = yesterday(day)
    return day
  }

  // A holiday, or a day around one: Carnival, Good Friday and Corpus Christi are among them.
  if (kind === 2) return oneOf(random, [...holidaysOf(year)])
  if (kind === 3) return walk(oneOf(random, [...holidaysOf(year)]), integer(random, -4, 4))

  // Carnival and Easter, from the Friday before Carnival to Easter Monday.
  if (kind === 4)
    return walk(easterOf(year), oneOf(random, [-51, -50, -49, -48, -47, -46, -3, -2, -1, 0, 1]))

  // The end of a year.
  if (kind === 5) return walk(dayOf(year, 12, 23), integer(random, 0, 8))

  // The end of February, leap or not.
  return walk(dayOf(year, 2, 26), integer(random, 0, 5))
}

/** A deduction. Pix API, CobVOperacaoInvalida: below the original, and below 100 %. */
function randomDeduction(random: () => number, original: bigint): Adjustment | undefined {
  if (random() < 0.5) return undefined
  if (random() < 0.5)
    return { modality: '2', amount: formatHundredths(randomHundredths(random, 9_999n)) }
  if (original === 1n) return undefined

  return { modality: '1', amount: formatHundredths(randomHundredths(random, original - 1n)) }
}

/**
 * A discount. Pix API, CobVOperacaoInvalida: each below the original and below 100 %, no date
 * after the due date, dates only in 1 and 2, amount only in 3 to 6; one to three dates.
 */
function randomDiscount(
  random: () => number,
  original: bigint,
  due_date: string,
): Discount | undefined {
  const modality = oneOf(random, ['', '1', '2', '3', '4', '5', '6'])
  if (modality === '') return undefined

  const percentual = ['2', '5', '6'].includes(modality)
  if (!percentual && original === 1n) return undefined
  const greatest = percentual ? 9_999n : original - 1n

  if (modality === '1' || modality === '2') {
    const dates = new Set<string>()
    const wanted = integer(random, 1, 3)
    const reach = oneOf(random, [3, 10, 60])
    while (dates.size < wanted) dates.add(walk(due_date, -integer(random, 0, reach)))

    const sorted = [...dates].sort()
    const ordered = random() < 0.1 ? sorted.reverse() : sorted
    const fixedDateDiscount = ordered.map((date) => ({
      date,
      amount: formatHundredths(randomHundredths(random, greatest)),
    }))
    return { modality, fixedDateDiscount }
  }

  // Two in three are small enough that sixty-odd days of them seldom reach the whole.
  const small = greatest / 70n
  const limit = small > 0n && random() < 0.67 ? small : greatest
  return { modality, amount: formatHundredths(randomHundredths(random, limit)) }
}

/** An interest of any modality; the Pix API sets no limit to it. */
function randomInterest(random: () => number, original: bigint): Adjustment | undefined {
  const modality = oneOf(random, ['', '1', '2', '3', '4', '5', '6', '7', '8'])
  if (modality === '') return undefined

  const greatest = modality === '1' || modality === '5' ? original : 20_000n
  return { modality, amount: formatHundredths(randomHundredths(random, greatest)) }
}

/** A fine of either modality; the Pix API sets no limit to it. */
function randomFine(random: () => number, original: bigint): Adjustment | undefined {
  const modality = oneOf(random, ['', '1', '2'])
  if (modality === '') return undefined

  const greatest = modality === '1' ? original * 2n : 20_000n
  return { modality, amount: formatHundredths(randomHundredths(random, greatest)) }
}

/** A day of payment from sixty days before the due date to the last payable one, often on an edge. */
function randomPaymentDay(random: () => number, charge: Charge, expiration_days: number): string {
  const first = walk(charge.due_date, -60)
  const last = payableUntil(charge.due_date, expiration_days)

  const days: string[] = []
  for (let day = first; day <= last; day = tomorrow(day)) days.push(day)
  if (random() < 0.5) return oneOf(random, days)

  const moved = movedToBusinessDay(charge.due_date)
  const edges = [charge.due_date, moved, last, movedToBusinessDay(tomorrow(moved))]
  for (const { date } of charge.discount?.fixedDateDiscount ?? [])
    edges.push(date, movedToBusinessDay(date))

  const near = walk(oneOf(random, edges), integer(random, -2, 3))
  if (near < first) return first
  return near > last ? last : near
}

/** A charge that is valid by the Pix API (PUT /cobv/{txid}), with a day on which it can be paid. */
export function randomCharge(random: () => number): RandomCharge {
  const original = randomHundredths(
    random,
    oneOf(random, [1_000n, 100_000n, 10_000_000n, 100_000_000_000n]),
  )
  const charge: Charge = { original: formatHundredths(original), due_date: randomDueDate(random) }

  const deduction = randomDeduction(random, original)
  const discount = randomDiscount(random, original, charge.due_date)
  const interest = randomInterest(random, original)
  const fine = randomFine(random, original)
  if (deduction) charge.deduction = deduction
  if (discount) charge.discount = discount
  if (interest) charge.interest = interest
  if (fine) charge.fine = fine

  const expiration_days =
    random() < 0.5 ? oneOf(random, [0, 1, 2, 3, 4, 5, 10, 30]) : integer(random, 0, 90)
  const on = randomPaymentDay(random, charge, expiration_days)

  // No part may pass the ten digits of the pattern \d{1,10}\.\d{2}: such a payload cannot be written.
  const amounts = amountsDue(charge, on)
  if (Object.values(amounts).some((amount) => amount > 999_999_999_999n))
    return randomCharge(random)

  const result: RandomCharge = { charge, on, expiration_days }
  if (amounts.final <= 0n) result.reachesWhole = true

  const moved = movedToBusinessDay(charge.due_date)
  if (charge.fine && on > moved && daysPassed(moved, on, 'business') === 0n)
    result.fineDisputed = true

  const dates = (charge.discount?.fixedDateDiscount ?? []).map(({ date }) => date)
  if (dates.join() !== [...dates].sort().join()) result.unsortedDates = true

  return result
}
