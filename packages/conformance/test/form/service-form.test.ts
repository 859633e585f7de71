import { expect, test } from 'vitest'
import { readContract } from '../../src/contract/contract.ts'
import { declaredKinds, type Kind } from '../../src/contract/kinds.ts'
import type { GivenForm } from '../../src/form/given-form.ts'
import { ServiceForm } from '../../src/form/service-form.ts'

const contract = readContract()

function operation(id: string) {
  const declared = contract.operations.find((each) => each.id === id)
  if (!declared) throw new Error(`no operation ${id}`)
  return declared
}

function kind(name: string): Kind {
  const declared = declaredKinds.find((each) => each.name === name)
  if (!declared) throw new Error(`no resource ${name}`)
  return declared
}

test('it reads the records of a response in the words of the contract', () => {
  const form = new ServiceForm()
  const active = { kind: kind('webhook'), field: 'status', word: 'active' }
  form.learnWord(active, 'enabled')

  const one = { id: '1', status: 'enabled' }
  expect(form.toContractResponse(operation('getWebhook'), 200, one)).toEqual({
    id: '1',
    status: 'active',
  })
  const list = { data: [one, { id: '2', status: 'inactive' }] }
  expect(form.toContractResponse(operation('listWebhooks'), 200, list)).toEqual({
    data: [
      { id: '1', status: 'active' },
      { id: '2', status: 'inactive' },
    ],
  })
})

test('it sends the words of the service, and reads them back', () => {
  const form = new ServiceForm({ webhook: { '/status/inactive': 'disabled' } })
  const update = operation('updateWebhook')
  const body = { url: 'https://shop.example/pix', status: 'inactive' }
  const asked = form.toServiceBody(update, body)
  expect(asked).toEqual({ ...body, status: 'disabled' })
  expect(form.toContractBody(update, asked)).toEqual(body)
})

test('it swaps the scheme of the service and that of the contract', () => {
  const form = new ServiceForm()
  expect(form.swapScheme('Bearer abc')).toBe('Bearer abc')

  form.learnScheme('Token')
  expect(form.swapScheme('Bearer abc')).toBe('Token abc')
  expect(form.swapScheme('bearer abc')).toBe('token abc')
  expect(form.swapScheme('BEARER abc')).toBe('Token abc')
  expect(form.swapScheme('Token abc')).toBe('Bearer abc')
  expect(form.swapScheme('TOKEN abc')).toBe('Bearer abc')
  expect(form.swapScheme('Basic abc')).toBe('Basic abc')
  expect(form.swapScheme('abc')).toBe('abc')
  expect(form.swapScheme(undefined)).toBeUndefined()
})

test('it swaps the token alone and that in the scheme of the contract', () => {
  const form = new ServiceForm({ authorization: { '/scheme': 'none' } })
  expect(form.swapScheme('Bearer abc')).toBe('abc')
  expect(form.swapScheme('bearer abc')).toBe('abc')
  expect(form.swapScheme('abc')).toBe('Bearer abc')
  expect(form.swapScheme('Token abc')).toBe('Token abc')
})

test('it gives a word one meaning, and a meaning one word', () => {
  const form = new ServiceForm()
  const stateOf = (word: string) => ({ kind: kind('immediateQrCode'), field: 'status', word })
  form.learnWord(stateOf('ATIVA'), 'OPEN')
  form.learnWord(stateOf('CONCLUIDA'), 'OPEN')
  form.learnWord(stateOf('ATIVA'), 'ACTIVE')
  expect(form.toContractWord(stateOf('OPEN'))).toBe('ATIVA')
  expect(form.toServiceWord(stateOf('ATIVA'))).toBe('OPEN')
  expect(form.learned).toHaveLength(1)
})

test('it gives no other meaning to a word of the contract that the service shows', () => {
  const form = new ServiceForm()
  const open = { kind: kind('immediateQrCode'), field: 'status', word: 'ATIVA' }
  form.noteWord(open)
  form.learnWord(open, 'EXPIRADA')
  expect(form.toContractWord({ ...open, word: 'EXPIRADA' })).toBe('EXPIRADA')
  expect(form.learned).toEqual([])
})

test('it reads the cursor of another place, which the last page does not have', () => {
  const form = new ServiceForm()
  form.learnCursor('/paging/after')
  const list = operation('listImmediateQrCodes')
  const page = { data: [], paging: { after: 'c2' } }
  expect(form.toContractResponse(list, 200, page)).toEqual({ ...page, next_cursor: 'c2' })
  expect(form.toContractResponse(list, 200, { data: [] })).toEqual({ data: [], next_cursor: null })
})

test('it reads the code of a refusal at another place', () => {
  const form = new ServiceForm({ error: { '/code': '/error/type' } })
  const refusal = { error: { type: 'not_found' } }
  expect(form.toContractResponse(operation('getWebhook'), 404, refusal)).toEqual({
    ...refusal,
    code: 'not_found',
  })
})

/** The values of a page of charges that may be its cursor. */
function listCandidates(page: object) {
  const { id, path } = operation('listImmediateQrCodes')
  return new ServiceForm().listCursorCandidates(id, path, page)
}

test('it reads thirty URLs of a page at most, and every other value, for a possible cursor', () => {
  const urls = Array.from({ length: 300 }, (_, i) => `?cursor=${i}`)
  const candidates = listCandidates({ data: [], urls, next: 'c_2' })
  expect(candidates).toHaveLength(31)
  expect(candidates[0]).toEqual(['/next', 'c_2'])
})

test('it reads no URL of more than 2,000 characters for a possible cursor', () => {
  expect(listCandidates({ data: [], next: `/?cursor=c2&${'a&'.repeat(1_000)}` })).toEqual([])
})

test('it takes every value beside the records for a possible cursor', () => {
  const page = {
    data: [{ id: '1' }],
    total: 3,
    links: { next: 'https://service.example/list?cursor=c2&limit=1' },
    has_more: true,
    note: '',
    // What looks like a URL, and is none.
    prefix: '//',
    separator: '///',
  }
  expect(listCandidates(page)).toEqual([
    ['/links/next', 'c2'],
    ['/total', '3'],
  ])
})

test('it takes no link to another page than the next one for a possible cursor', () => {
  const url = 'https://service.example/list?cursor='
  const page = {
    data: [],
    links: { first: `${url}a`, last: `${url}b`, prev: `${url}c`, next: `${url}d` },
    _links: { self: { href: `${url}e` }, next: { href: `${url}f` } },
    previous_url: `${url}g`,
    lastPageUrl: `${url}h`,
    prevPageLink: `${url}i`,
  }
  expect(listCandidates(page)).toEqual([
    ['/links/next', 'd'],
    ['/_links/next/href', 'f'],
  ])
})

test('it takes the first thousand values of a page for possible cursors, and no more', () => {
  const page = { data: [], others: Array.from({ length: 5_000 }, (_, i) => i) }
  expect(listCandidates(page)).toHaveLength(1_000)
})

test('it names what was given and what was learned as --set does', () => {
  const form = new ServiceForm({ list: { '/next': '/cursor' } })
  form.learnEvent('transfer.settled', 'pix.sent')
  expect(form.learned).toEqual([
    { name: 'list/next', value: '/cursor', question: 'paging', isGiven: true },
    {
      name: 'event/transfer.settled',
      value: 'pix.sent',
      question: 'event-kinds',
      isGiven: false,
    },
  ])
})

test.each([
  { given: { list: { '/nxt': '/cursor' } }, message: 'list has no "/nxt" that can be set' },
  {
    given: { authorization: { '/scheme': '' } },
    message: 'authorization/scheme must be a scheme such as Token, or "none", got ""',
  },
  { given: { event: { '/transfer.sent': 'x' } }, message: 'such as /transfer.settled' },
  { given: { webhook: { '/status': 'x' } }, message: '/FIELD/WORD, such as /status/inactive' },
])('it refuses the form $given', ({ given, message }) => {
  expect(() => new ServiceForm(given as GivenForm)).toThrow(message)
})

test('it takes no page for the last one where the given place has never shown a cursor', () => {
  const form = new ServiceForm({ list: { '/next': '/page/next' } })
  const list = operation('listImmediateQrCodes')
  const page = { data: [], cursor: 'c2' }
  expect(form.toContractResponse(list, 200, page)).toEqual(page)
  const last = { data: [], page: { next: null } }
  expect(form.toContractResponse(list, 200, last)).toEqual({ ...last, next_cursor: null })

  form.noteCursorPlace()
  expect(form.toContractResponse(list, 200, { data: [] })).toEqual({ data: [], next_cursor: null })
})
