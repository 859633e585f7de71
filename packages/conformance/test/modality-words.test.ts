import { expect, test } from 'vitest'
import { fieldsOf, type Json, stringAt, withValue } from '../src/contract/json.ts'
import type { RunOptions } from '../src/run/settings.ts'
import { type Call, withBody } from './services/call.ts'
import { checkService } from './services/check.ts'
import type { Next, Service } from './services/wrap.ts'

const PARTS = ['deduction', 'discount', 'fine', 'interest'] as const

/** By part, the words that a service takes, with the number of each. A part without words takes the numbers. */
type Words = Partial<Record<(typeof PARTS)[number], Readonly<Record<string, string>>>>

const WORDS = { value: '1', percentage: '2' }
const OWN_WORDS: Words = {
  deduction: WORDS,
  discount: WORDS,
  fine: WORDS,
  interest: { percentage_per_month: '3' },
}

/** What the user knows of that service: the words in place of those of the example. */
const NAMED = {
  '/amount/discount/modality': 'value',
  '/amount/fine/modality': 'percentage',
  '/amount/interest/modality': 'percentage_per_month',
}

const modalityOf = (part: string) => `/amount/${part}/modality`

/** A body in the numbers of the contract; or the field, if a modality is none of the words. */
function inNumbers(body: Json, words: Words): { body: Json } | { wrong: string } {
  let changed: unknown = body
  for (const part of PARTS) {
    const word = stringAt(body, modalityOf(part))
    const numbers = words[part]
    if (word === undefined || !numbers) continue
    const number = numbers[word]
    if (number === undefined) return { wrong: modalityOf(part) }
    changed = withValue(changed, modalityOf(part), number)
  }
  return { body: fieldsOf(changed) }
}

/** Checks a service that takes words for modalities. Returns the result, and the due-date charges that were sent. */
async function checkWithWords(
  words: Words,
  options: Partial<RunOptions> = {},
  refuse: (at: string) => object = (at) => ({ errors: [{ at, code: 'PX-1422' }] }),
) {
  const sent: { body: Json; isAccepted: boolean }[] = []

  async function respond(call: Call, body: Json, next: Next): Promise<Response> {
    const read = inNumbers(body, words)
    if ('wrong' in read) return Response.json(refuse(read.wrong), { status: 422 })
    return next(withBody(call, read.body))
  }

  const service: Service = {
    operations: 'createDueDateQrCode',
    async wrap(call, next) {
      const body = call.json
      if (!body) return next(call)
      const response = await respond(call, body, next)
      sent.push({ body, isAccepted: response.ok })
      return response
    },
  }
  const result = await checkService(service, {
    only: ['boundaries'],
    operations: ['createDueDateQrCode'],
    ...options,
  })

  /** The modalities of a part in the charges with this outcome, in their order. */
  function listModalities(part: string, outcome: 'accepted' | 'refused'): string[] {
    const charges = sent.filter(({ isAccepted }) => isAccepted === (outcome === 'accepted'))
    return charges.flatMap(({ body }) => stringAt(body, modalityOf(part)) ?? [])
  }
  const deductionLines = result.notSent.filter((line) => line.includes('/amount/deduction'))
  return { result, sent, listModalities, deductionLines }
}

const named = { values: { createDueDateQrCode: NAMED } }

test('it sends a deduction with the word that a discount has for the same number', async () => {
  const { listModalities, deductionLines } = await checkWithWords(OWN_WORDS, named)
  expect(listModalities('deduction', 'accepted')[0]).toBe('value')
  expect(new Set(listModalities('deduction', 'accepted'))).toEqual(new Set(['value']))
  expect(deductionLines).toEqual([])
})

test('it finds that word where the refusal names no field', async () => {
  const { listModalities } = await checkWithWords(OWN_WORDS, named, () => ({ code: 'no' }))
  expect(listModalities('deduction', 'accepted')[0]).toBe('value')
})

test('it sends each number in the word that another part has for it, in all plans', async () => {
  const options = { ...named, only: ['money-due'] }
  const { listModalities } = await checkWithWords(OWN_WORDS, options)
  expect(new Set(listModalities('deduction', 'accepted'))).toEqual(new Set(['value', 'percentage']))
  expect(new Set(listModalities('fine', 'accepted'))).toEqual(new Set(['value', 'percentage']))
  // Each number was refused once.
  expect(listModalities('deduction', 'refused').filter((word) => word === '1')).toHaveLength(1)
  expect(listModalities('deduction', 'refused').filter((word) => word === '2')).toHaveLength(1)
})

test('it goes on with the number where the service takes it', async () => {
  const { deduction: _, ...words } = OWN_WORDS
  const { listModalities } = await checkWithWords(words, named)
  expect(listModalities('deduction', 'accepted')[0]).toBe('1')
  expect(listModalities('deduction', 'accepted')).not.toContain('value')
})

test('it tries a word once that the service does not take', async () => {
  const words = { ...OWN_WORDS, deduction: { fixed: '1' } }
  const options = { ...named, only: ['money-due', 'requests-accepted'] }
  const { listModalities } = await checkWithWords(words, options)
  expect(listModalities('deduction', 'refused').filter((word) => word === 'value')).toHaveLength(1)
})

test('it sends a deduction with the word that the user names, and its usual amount', async () => {
  const values = { createDueDateQrCode: { '/amount/deduction/modality': 'fixed' } }
  const { sent, deductionLines } = await checkWithWords({ deduction: { fixed: '1' } }, { values })
  const [first] = sent.filter(({ isAccepted }) => isAccepted)
  expect(fieldsOf(first?.body).amount).toMatchObject({
    deduction: { amount: '1.00', modality: 'fixed' },
  })
  expect(deductionLines).toEqual([])
})

test('it prefers the word that the user names for a field', async () => {
  const words = { ...OWN_WORDS, deduction: { fixed: '1' } }
  const values = { createDueDateQrCode: { ...NAMED, '/amount/deduction/modality': 'fixed' } }
  const { sent } = await checkWithWords(words, { values })
  const sentWords = sent.map(({ body }) => stringAt(body, modalityOf('deduction')))
  expect(sentWords).toContain('fixed')
  expect(sentWords).not.toContain('value')
})

test('it sends the number itself where it edits the modality', async () => {
  const { listModalities } = await checkWithWords(OWN_WORDS, named)
  expect(listModalities('deduction', 'refused')).toContain('2')
})

test('it says that no deduction was accepted, and which option may help', async () => {
  const { deductionLines, sent } = await checkWithWords({ deduction: { fixed: '1' } })
  expect(deductionLines).toEqual([
    'not tried: createDueDateQrCode with /amount/deduction, which was never accepted (422): the refusal names /amount/deduction/modality; set a value that the service accepts with --set createDueDateQrCode/amount/deduction/modality=VALUE',
  ])
  // The other fields are edited without it.
  const accepted = sent.filter(({ isAccepted }) => isAccepted)
  expect(accepted.length).toBeGreaterThan(10)
})

test('it says that where the refusal names no field', async () => {
  const words = { deduction: { fixed: '1' } }
  const { deductionLines } = await checkWithWords(words, {}, () => ({ code: 'no' }))
  expect(deductionLines).toEqual([
    'not tried: createDueDateQrCode with /amount/deduction, which was never accepted (422): if /amount/deduction/modality is the reason, set a value that the service accepts with --set createDueDateQrCode/amount/deduction/modality=VALUE',
  ])
})

test.each(['/amount', '/amount/deduction'])(
  'it says that where the refusal names %s',
  async (at) => {
    const words = { deduction: { fixed: '1' } }
    const { deductionLines } = await checkWithWords(words, {}, () => ({ errors: [{ at }] }))
    expect(deductionLines).toEqual([
      `not tried: createDueDateQrCode with /amount/deduction, which was never accepted (422): the refusal names ${at}; set a value that the service accepts with --set createDueDateQrCode/amount/deduction/modality=VALUE`,
    ])
  },
)
