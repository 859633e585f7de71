import { expect, test } from 'vitest'
import { readContract } from '../../src/contract/contract.ts'
import { learnPlaces } from '../../src/form/places.ts'
import { ServiceForm } from '../../src/form/service-form.ts'

const contract = readContract()
const EMV =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'

function operation(id: string) {
  const declared = contract.operations.find((each) => each.id === id)
  if (!declared) throw new Error(`no operation ${id}`)
  return declared
}

/** The form that a creation shows, and its response in the form of the contract. */
function learnt(untranslatedBody: object, requestBody: object = { amount: { original: '35.90' } }) {
  const create = operation('createImmediateQrCode')
  const form = new ServiceForm()
  learnPlaces(create, { status: 200, requestBody, untranslatedBody }, form)
  const places = Object.fromEntries(form.learned.map(({ name, value }) => [name, value]))
  return { places, placed: form.toContractResponse(create, 200, untranslatedBody) }
}

test('it finds a record inside of an object, and its fields under other names', () => {
  const untranslatedBody = { qrcode: { id: '1', code: EMV, value: '35.90' } }
  expect(learnt(untranslatedBody)).toEqual({
    places: {
      'place/immediateQrCode': '/qrcode',
      'place/immediateQrCode/emv': '/code',
      'place/immediateQrCode/amount/original': '/value',
    },
    placed: { id: '1', emv: EMV, amount: { original: '35.90' } },
  })
})

test('it asks where the record is, also in a contract that asks what its id means', () => {
  const document = structuredClone(contract.document) as {
    components: { schemas: { Id: object } }
  }
  Object.assign(document.components.schemas.Id, { 'x-open-question': { meaning: 'identifiers' } })
  const create = readContract(document).operations.find(({ id }) => id === 'createImmediateQrCode')
  const form = new ServiceForm()
  const untranslatedBody = { qrcode: { id: '1', emv: EMV } }
  if (create) learnPlaces(create, { status: 200, requestBody: {}, untranslatedBody }, form)
  expect(form.learned).toMatchObject([{ name: 'place/immediateQrCode', question: 'qr-record' }])
})

test('it learns nothing of a record that is at its place', () => {
  const untranslatedBody = { id: '1', emv: EMV, amount: { original: '35.90' } }
  expect(learnt(untranslatedBody)).toEqual({ places: {}, placed: untranslatedBody })
})

test.each([
  { says: 'two values are equal', untranslatedBody: { id: '1', value: '35.90', final: '35.90' } },
  { says: 'the value is another one', untranslatedBody: { id: '1', value: '35.91' } },
  { says: 'the value is at a declared place', untranslatedBody: { id: '1', message: '35.90' } },
])('it learns no field if $says', ({ untranslatedBody }) => {
  expect(learnt(untranslatedBody).places).toEqual({})
})

test('it takes no envelope with an id for its record', () => {
  const create = operation('createTransfer')
  const form = new ServiceForm()
  learnPlaces(
    create,
    { status: 201, requestBody: {}, untranslatedBody: { id: '1', status: 'settled' } },
    form,
  )
  expect(form.learned).toEqual([])
})

test('it lists where a response shows its record and the fields of the record', () => {
  const form = new ServiceForm({ place: { '/transfer': '/result', '/transfer/status': '/state' } })
  const body = { result: { id: '1', state: 'settled' } }
  const places = form.listOtherPlaces(operation('createTransfer'), body)
  expect(places.map(({ name }) => name)).toEqual(['place/transfer', 'place/transfer/status'])
})

test('it learns no record if two objects may be it', () => {
  const untranslatedBody = { qrcode: { id: '1' }, charge: { id: '2' } }
  expect(learnt(untranslatedBody).places).toEqual({})
})

test('it finds the records of a list, and reads their fields', () => {
  const list = operation('listImmediateQrCodes')
  const form = new ServiceForm({ place: { '/immediateQrCode/emv': '/code' } })
  const untranslatedBody = { qrcodes: [{ id: '1', code: EMV }], paging: { next: 'c1' } }
  learnPlaces(list, { status: 200, requestBody: undefined, untranslatedBody }, form)
  expect(form.toContractResponse(list, 200, untranslatedBody)).toEqual({
    data: [{ id: '1', emv: EMV }],
    paging: { next: 'c1' },
  })
})

test('it finds the records of an empty list, and takes another place once that has records', () => {
  const list = operation('listImmediateQrCodes')
  const form = new ServiceForm()
  const learn = (untranslatedBody: object) =>
    learnPlaces(list, { status: 200, requestBody: undefined, untranslatedBody }, form)

  learn({ items: [], paging: { total: 0 } })
  expect(form.learned.map(({ value }) => value)).toEqual(['/items'])
  learn({ warnings: [], results: [{ id: '1' }] })
  learn({ items: [] })
  expect(form.learned.map(({ value }) => value)).toEqual(['/results'])
})

test('it learns nothing of an empty list that has several arrays', () => {
  const form = new ServiceForm()
  const untranslatedBody = { items: [], warnings: [] }
  learnPlaces(
    operation('listImmediateQrCodes'),
    { status: 200, requestBody: undefined, untranslatedBody },
    form,
  )
  expect(form.learned).toEqual([])
})

test('it takes a token of customers alone where the form says so', () => {
  const form = new ServiceForm({ token: { '/transfer': 'customer' } })
  expect(form.takesCustomersOnly(operation('createTransfer'))).toBe(true)
  expect(form.takesCustomersOnly(operation('createStaticQrCode'))).toBe(false)
  expect(() => new ServiceForm({ token: { '/transfer': 'other' } })).toThrow(
    'token/transfer can only be "customer", got "other"',
  )
})

/** A form that has learned from exchanges with immediate QR codes. */
function learntFrom(exchanges: readonly (readonly [id: string, body: object, sent?: object])[]) {
  const form = new ServiceForm()
  for (const [id, untranslatedBody, requestBody] of exchanges) {
    const success = { status: 200, requestBody, untranslatedBody }
    learnPlaces(operation(id), success, form)
  }
  return form
}

/** The creation of a charge that names its id, its status and its code in its own way. */
function creation(charge_id: string, others: object = {}) {
  const tx_id = `tx-of-${charge_id}`
  const time = `2026-11-30T10:00:0${charge_id.length}Z`
  const charge = { charge_id, state: 'open', copy: EMV, tx_id, account: 'a1', time, ...others }
  return ['createImmediateQrCode', { charge }, { tx_id }] as const
}

const CREATIONS = [creation('c1'), creation('c22')] as const
const LISTED = CREATIONS.map(([, { charge }]) => charge)
const LIST = ['listImmediateQrCodes', { data: LISTED }] as const
const CANCELLED = ['cancelImmediateQrCode', { charge: { ...LISTED[0], state: 'removed' } }] as const

/** The learned places of fields of immediate QR codes, by the names of the fields. */
function placesOfFields(form: ServiceForm) {
  const places = form.learned.map(({ name, value }) => [name, value])
  return Object.fromEntries(places.filter(([name]) => name?.startsWith('place/')))
}

test('it finds the id, the status and the code of a record with other names', () => {
  const form = learntFrom([...CREATIONS, LIST, CANCELLED])
  expect(placesOfFields(form)).toEqual({
    'place/immediateQrCode': '/charge',
    'place/immediateQrCode/emv': '/copy',
    'place/immediateQrCode/id': '/charge_id',
    'place/immediateQrCode/status': '/state',
  })
  const shown = form.toContractResponse(operation('createImmediateQrCode'), 200, CREATIONS[0][1])
  expect(shown).toMatchObject({ id: 'c1', status: 'open', emv: EMV })
})

test.each([
  { says: 'no list shows it again', exchanges: CREATIONS },
  {
    says: 'one list shows one record',
    exchanges: [creation('c1'), ['listImmediateQrCodes', { data: [LISTED[0]] }]],
  },
  {
    says: 'two fields may be it',
    exchanges: (() => {
      const creations = [creation('c1', { loc: 'l1' }), creation('c22', { loc: 'l2' })] as const
      const data = creations.map(([, { charge }]) => charge)
      return [...creations, ['listImmediateQrCodes', { data }]] as const
    })(),
  },
  {
    says: 'a list shows another value in each response',
    exchanges: [
      ...CREATIONS,
      [
        'listImmediateQrCodes',
        { data: LISTED.map((each, i) => ({ ...each, charge_id: `r${i}` })) },
      ],
    ],
  },
] as const)('it learns no id if $says', ({ exchanges }) => {
  const form = learntFrom(exchanges)
  expect(form.findIdPlace('immediateQrCode')).toBeUndefined()
  expect(form.isUnfound('immediateQrCode', '/id')).toBe(true)
  expect(form.isUnfound('immediateQrCode', '/emv')).toBe(false)
})

test('it reads a tx_id as the id too, where the user says so', () => {
  const form = new ServiceForm({ place: { '/immediateQrCode/id': '/tx_id' } })
  const read = form.toContractResponse(operation('createImmediateQrCode'), 200, { tx_id: 't1' })
  expect(read).toEqual({ id: 't1', tx_id: 't1' })
})

test('it takes an id for guessed until one is accepted in a path', () => {
  const form = learntFrom([...CREATIONS, LIST])
  expect(form.isIdGuessed('immediateQrCode')).toBe(true)
  form.noteAcceptedId('immediateQrCode')
  expect(form.isIdGuessed('immediateQrCode')).toBe(false)
})
