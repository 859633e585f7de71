// Compares the amounts and last days of due-date charges with a file of cases, and prints the differences:
// node scripts/vectors.ts <file.json>
// The file contains "acceptance" (last days of payment) and "amounts" (amounts on a day), both with the names of the
// central bank's API.
import { readFileSync } from 'node:fs'
import { payableUntil } from '../src/money/business-days.ts'
import { formatCentavos } from '../src/money/centavos.ts'
import { amountsOn, type Charge } from '../src/money/charge.ts'

type Adjustment = {
  modalidade: number
  valorPerc?: string
  descontoDataFixa?: { data: string; valorPerc: string }[]
}
type Amounts = {
  name: string
  charge: { original: string; dataDeVencimento: string } & Record<string, Adjustment>
  on: string
  expect: Record<string, string>
}
type Acceptance = {
  example: string
  dataDeVencimento: string
  validadeAposVencimento: number
  lastAcceptedDay: string
}

const [file] = process.argv.slice(2)
if (!file) {
  console.error('usage: node scripts/vectors.ts <file.json>')
  process.exit(2)
}
const cases = JSON.parse(readFileSync(file, 'utf8')) as { acceptance: Acceptance[]; amounts: Amounts[] }
const scores = [
  score('last days', cases.acceptance, ({ example, ...charge }) => [
    example,
    payableUntil(charge.dataDeVencimento, charge.validadeAposVencimento),
    charge.lastAcceptedDay,
  ]),
  score('amounts', cases.amounts, ({ name, charge, on, expect }) => [
    name,
    text(actual(charge, on)),
    text(expect),
  ]),
]
process.exitCode = scores.every(Boolean) ? 0 : 1

function score<Case>(
  what: string,
  all: Case[],
  compare: (one: Case) => [name: string, actual: string, expected: string],
): boolean {
  const wrong = all.map(compare).filter(([, actual, expected]) => actual !== expected)
  console.log(`${String(all.length - wrong.length).padStart(3)}/${String(all.length).padEnd(3)} ${what}`)
  for (const [name, actual, expected] of wrong)
    console.log(`        ${name}: ${actual} instead of ${expected}`)
  return wrong.length === 0
}

function actual(charge: Amounts['charge'], on: string): Record<string, string> {
  const { deduction, discount, interest, fine, final } = amountsOn(translated(charge), on)
  const parts = { abatimento: deduction, desconto: discount, juros: interest, multa: fine, final }
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, formatCentavos(value)]))
}

function translated({ original, dataDeVencimento, abatimento, desconto, juros, multa }: Amounts['charge']) {
  const parts = { deduction: abatimento, discount: desconto, interest: juros, fine: multa }
  const named = Object.entries(parts).flatMap(([name, part]) => (part ? [[name, adjustment(part)]] : []))
  // The file is trusted to contain modalities of the contract only.
  return { original, due_date: dataDeVencimento, ...Object.fromEntries(named) } as Charge
}

function adjustment({ modalidade, valorPerc, descontoDataFixa }: Adjustment) {
  const fixedDateDiscount = descontoDataFixa?.map(({ data, valorPerc }) => ({
    date: data,
    amount: valorPerc,
  }))
  return { modality: `${modalidade}`, amount: valorPerc, fixedDateDiscount }
}

function text(amounts: Record<string, string>): string {
  return Object.entries(amounts)
    .map((entry) => entry.join(' '))
    .toSorted()
    .join(', ')
}
