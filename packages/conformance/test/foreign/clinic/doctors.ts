import {
  asked,
  type ClinicMutants,
  counted,
  everywhere,
  fieldOf,
  instead,
  items,
  itemsOf,
  refuse,
  request,
  response,
  take,
  without,
} from './mutant.ts'
import { add, filtered, find, type Row } from './service.ts'

const NEW = { name: 'Dr. Rui', license: 'SP00000', specialty: 'general', fee: 150.5 }

export const doctors: ClinicMutants = {
  'doctor-license-twice': {
    describe: 'Two doctors may have the same license.',
    operation: 'createDoctor',
    expects: 'createDoctor takes a license that a doctor has (409 is declared).',
    plant: instead('createDoctor', ({ state, body }) => ({
      status: 201,
      body: add(state.doctors, { accepts_new_patients: true, ...body }),
    })),
    shows: async ({ doctor, send }) => {
      const { license } = await doctor()
      return (await send('POST /doctors', { ...NEW, license })).status
    },
  },
  'doctor-accepts-nobody-by-default': {
    describe: 'accepts_new_patients is false where it is left out.',
    operation: 'createDoctor',
    expects: 'accepts_new_patients of createDoctor is false where none was sent (default true).',
    plant: request('createDoctor', (body) => ({ accepts_new_patients: false, ...body })),
    shows: async ({ doctor }) => (await doctor()).accepts_new_patients,
  },
  'doctor-fee-in-whole': {
    describe: 'The fee loses its cents.',
    operation: 'createDoctor',
    expects: 'fee of createDoctor differs from what was sent (cents).',
    plant: request('createDoctor', (body) => ({ ...body, fee: Math.trunc(Number(body.fee)) })),
    shows: async ({ doctor }) => (await doctor()).fee,
  },
  'doctor-any-license': {
    describe: 'The form of a license is not checked.',
    operation: 'createDoctor',
    expects: 'createDoctor takes a license in small letters (pattern).',
    plant: take('createDoctor', ({ body }) => {
      const isWhole = typeof fieldOf(body, 'name') === 'string' && typeof fieldOf(body, 'fee') === 'number'
      return (
        isWhole && typeof fieldOf(body, 'license') === 'string' && fieldOf(body, 'specialty') !== undefined
      )
    }),
    shows: async ({ send }) => (await send('POST /doctors', { ...NEW, license: 'sp1' })).status,
  },
  'doctor-highest-fee-refused': {
    describe: 'A fee of exactly 10000 is refused.',
    operation: 'createDoctor',
    expects: 'createDoctor refuses the fee 10000 (maximum).',
    plant: refuse('createDoctor', ({ body }) => body.fee === 10_000, 400),
    shows: async ({ send }) => (await send('POST /doctors', { ...NEW, fee: 10_000 })).status,
  },
  'doctors-offset-one-too-far': {
    describe: 'offset skips one record more than it says.',
    operation: 'listDoctors',
    expects: 'A record is missing between the pages of listDoctors.',
    plant: instead('listDoctors', (call, right) => {
      const offset = Number(call.query.offset ?? 0)
      const rows = filtered(call.state.doctors, call.query, ['specialty', 'accepts_new_patients'])
      const result = right(call)
      const from = offset > 0 ? offset + 1 : 0
      const limit = Number(call.query.limit ?? 25)
      return { ...result, body: { ...(result.body as object), items: rows.slice(from, from + limit) } }
    }),
    shows: async ({ doctor, send }) => {
      await doctor()
      await doctor()
      return counted(send, 'GET /doctors?offset=1')
    },
  },
  'doctors-specialty-of-the-first-page': {
    describe: 'The filter specialty is lost on every page but the first.',
    operation: 'listDoctors',
    expects: 'listDoctors?specialty=…&offset=… lists doctors of another specialty.',
    plant: asked('listDoctors', ({ specialty, ...query }) =>
      Number(query.offset ?? 0) > 0 || !specialty ? query : { ...query, specialty },
    ),
    shows: async ({ doctor, send }) => {
      await doctor()
      await doctor({ specialty: 'cardiology' })
      return counted(send, 'GET /doctors?specialty=pediatrics&offset=1')
    },
  },
  'doctors-false-is-true': {
    describe: 'accepts_new_patients=false lists those who accept: the text "false" is not empty.',
    operation: 'listDoctors',
    expects: 'listDoctors?accepts_new_patients=false lists doctors who accept, and lacks the others.',
    plant: asked('listDoctors', (query) =>
      query.accepts_new_patients ? { ...query, accepts_new_patients: 'true' } : query,
    ),
    shows: async ({ doctor, send }) => {
      await doctor()
      return counted(send, 'GET /doctors?accepts_new_patients=false')
    },
  },
  'doctors-without-fee': {
    describe: 'The list lacks the fee.',
    operation: 'listDoctors',
    expects: 'items/0 of listDoctors lacks fee, which is required.',
    plant: items('listDoctors', (rows) => rows.map((it) => without(it, 'fee') as Row)),
    shows: async ({ doctor, send }) => {
      await doctor()
      return (await itemsOf(send, 'GET /doctors'))[0]?.fee
    },
  },
  'doctors-total-of-all': {
    describe: 'total counts all doctors, whatever is filtered.',
    operation: 'listDoctors',
    expects: 'total of listDoctors?specialty=… is more than what the filter lists.',
    plant: response('listDoctors', (body, { state }) => ({ ...body, total: state.doctors.length })),
    shows: async ({ doctor, send }) => {
      await doctor()
      return (await send('GET /doctors?specialty=cardiology')).body.total
    },
  },
  'doctors-one-more-than-limit': {
    describe: 'A page holds one record more than limit says.',
    operation: 'listDoctors',
    expects: 'listDoctors?limit=1 lists two records.',
    plant: instead('listDoctors', (call, right) => {
      const limit = Number(call.query.limit ?? 25)
      const result = right({ ...call, query: { ...call.query, limit: String(limit + 1) } })
      return { ...result, body: { ...(result.body as object), limit } }
    }),
    shows: async ({ doctor, send }) => {
      await doctor()
      await doctor()
      return counted(send, 'GET /doctors?limit=1')
    },
  },
  'patch-doctor-resets-the-rest': {
    describe: 'A change sets accepts_new_patients to true where it is left out.',
    operation: 'changeDoctor',
    expects: 'accepts_new_patients changes by changeDoctor without it.',
    plant: request('changeDoctor', (body) => ({ accepts_new_patients: true, ...body })),
    shows: async ({ doctor, send }) => {
      const { id } = await doctor({ accepts_new_patients: false })
      return (await send(`PATCH /doctors/${id}`, { name: 'Dr. Bia' })).body.accepts_new_patients
    },
  },
  'patch-doctor-ignores-false-and-zero': {
    describe: 'A change to false or 0 is ignored.',
    operation: 'changeDoctor',
    expects: 'changeDoctor ignores accepts_new_patients: false, or fee: 0.',
    plant: request('changeDoctor', (body) => Object.fromEntries(Object.entries(body).filter(([, it]) => it))),
    shows: async ({ doctor, send }) => {
      const { id } = await doctor()
      return (await send(`PATCH /doctors/${id}`, { accepts_new_patients: false })).body.accepts_new_patients
    },
  },
  'patch-doctor-shows-the-old-one': {
    describe: 'A change is saved, and responds with the doctor as it was.',
    operation: 'changeDoctor',
    expects: 'changeDoctor does not show what it was sent.',
    plant: instead('changeDoctor', (call, right) => {
      const old = structuredClone(find(call.state.doctors, call.path.doctor_id))
      const result = right(call)
      return result.status === 200 ? { ...result, body: old } : result
    }),
    shows: async ({ doctor, send }) => {
      const { id } = await doctor()
      return (await send(`PATCH /doctors/${id}`, { name: 'Dr. Bia' })).body.name
    },
  },
  'patch-doctor-license-twice': {
    describe: 'A change may give a doctor the license of another one.',
    operation: 'changeDoctor',
    expects: 'changeDoctor takes a license that another doctor has (409 is declared).',
    plant: instead('changeDoctor', (call, right) => {
      const row = find(call.state.doctors, call.path.doctor_id)
      return right({ ...call, state: { ...call.state, doctors: row ? [row] : [] } })
    }),
    shows: async ({ doctor, send }) => {
      const { license } = await doctor()
      const { id } = await doctor()
      return (await send(`PATCH /doctors/${id}`, { license })).status
    },
  },
  'patch-doctor-nothing-500': {
    describe: 'A change of nothing makes a statement without fields: 500.',
    operation: 'changeDoctor',
    expects: 'changeDoctor responds 500 to {}.',
    plant: refuse('changeDoctor', ({ body }) => Object.keys(body).length === 0, 500),
    shows: async ({ doctor, send }) => (await send(`PATCH /doctors/${(await doctor()).id}`, {})).status,
  },
  'patch-doctor-of-other-clinics': {
    describe: 'A clinic may change the doctors of another one.',
    operation: 'changeDoctor',
    expects: 'changeDoctor changes a doctor of another token.',
    plant: everywhere('changeDoctor'),
    shows: async ({ doctor, elsewhere }) =>
      (await elsewhere(`PATCH /doctors/${(await doctor()).id}`, { name: 'x' })).status,
  },
}
