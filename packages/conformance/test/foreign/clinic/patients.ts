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
import { add, error, filtered, find, NOT_FOUND, paged, type Row, remove } from './service.ts'

const NEW = { name: 'Ana Sá', email: 'new@clinic.test', birth_date: '1980-02-03' }

export const patients: ClinicMutants = {
  'patient-email-twice': {
    describe: 'Two patients may have the same e-mail.',
    operation: 'createPatient',
    expects: 'createPatient takes an e-mail that a patient has (409 is declared).',
    plant: instead('createPatient', ({ state, body }) => ({
      status: 201,
      body: add(state.patients, { phone: null, remarks: null, ...body, status: 'active' }),
    })),
    shows: async ({ patient, send }) => {
      const { email } = await patient()
      return (await send('POST /patients', { ...NEW, email })).status
    },
  },
  'patient-email-taken-500': {
    describe: 'An e-mail that a patient has fails in the database: 500.',
    operation: 'createPatient',
    expects: 'createPatient responds 500 to an e-mail that is taken.',
    plant: instead('createPatient', (call, right) => {
      const result = right(call)
      return result.status === 409 ? error(500, 'internal') : result
    }),
    shows: async ({ patient, send }) => {
      const { email } = await patient()
      return (await send('POST /patients', { ...NEW, email })).status
    },
  },
  'patient-name-cut': {
    describe: 'A name is cut to 40 characters.',
    operation: 'createPatient',
    expects: 'name of createPatient lacks the end of a long name.',
    plant: request('createPatient', (body) => ({ ...body, name: String(body.name).slice(0, 40) })),
    shows: async ({ patient }) => (await patient({ name: 'n'.repeat(80) })).name,
  },
  'patient-name-without-accents': {
    describe: 'A name loses its accents.',
    operation: 'createPatient',
    expects: 'name of createPatient differs from what was sent (accents).',
    plant: request('createPatient', (body) => ({
      ...body,
      name: String(body.name)
        .normalize('NFD')
        .replaceAll(/\p{Mark}/gu, ''),
    })),
    shows: async ({ patient }) => (await patient({ name: 'José' })).name,
  },
  'patient-name-of-80-refused': {
    describe: 'A name of 80 characters is refused: the limit is off by one.',
    operation: 'createPatient',
    expects: 'createPatient refuses a name of 80 characters (maxLength).',
    plant: refuse('createPatient', ({ body }) => String(body.name).length >= 80, 400),
    shows: async ({ send }) => (await send('POST /patients', { ...NEW, name: 'n'.repeat(80) })).status,
  },
  'patient-born-on-leap-day-refused': {
    describe: 'A birth date of 29 February is refused.',
    operation: 'createPatient',
    expects: 'createPatient refuses the birth_date 2000-02-29.',
    plant: refuse('createPatient', ({ body }) => String(body.birth_date).endsWith('-02-29'), 400),
    shows: async ({ send }) => (await send('POST /patients', { ...NEW, birth_date: '2000-02-29' })).status,
  },
  'patient-born-a-day-early': {
    describe: 'birth_date comes back a day early: it is read as midnight in UTC and written in local time.',
    operation: 'createPatient',
    expects: 'birth_date of createPatient is the day before what was sent.',
    plant: request('createPatient', (body) => ({
      ...body,
      birth_date: new Date(Date.parse(String(body.birth_date)) - 1).toISOString().slice(0, 10),
    })),
    shows: async ({ patient }) => (await patient()).birth_date,
  },
  'patient-phone-without-plus': {
    describe: 'phone loses its plus sign.',
    operation: 'createPatient',
    expects: 'phone of createPatient differs from what was sent.',
    plant: request('createPatient', (body) =>
      body.phone ? { ...body, phone: String(body.phone).replace('+', '') } : { ...body },
    ),
    shows: async ({ patient }) => (await patient({ phone: '+5561912345678' })).phone,
  },
  'patient-phone-null-as-text': {
    describe: 'A patient without a telephone has the phone "null".',
    operation: 'createPatient',
    expects: 'phone of createPatient is "null" where none, or null, was sent.',
    plant: request('createPatient', (body) => ({ ...body, phone: String(body.phone ?? null) })),
    shows: async ({ patient }) => (await patient()).phone,
  },
  'patient-created-with-200': {
    describe: 'A patient is created with 200.',
    operation: 'createPatient',
    expects: 'createPatient responds 200, which is not declared.',
    plant: instead('createPatient', (call, right) => {
      const result = right(call)
      return result.status === 201 ? { ...result, status: 200 } : result
    }),
    shows: async ({ send }) => (await send('POST /patients', NEW)).status,
  },
  'patient-without-created-at': {
    describe: 'The response to a creation lacks created_at.',
    operation: 'createPatient',
    expects: 'createPatient lacks created_at, which is required.',
    plant: response('createPatient', (body) => without(body, 'created_at')),
    shows: async ({ patient }) => 'created_at' in (await patient()),
  },
  'patient-any-email': {
    describe: 'An e-mail is not checked at creation.',
    operation: 'createPatient',
    expects: 'createPatient takes an e-mail that is none (format).',
    plant: take('createPatient', ({ body }) => {
      const email = fieldOf(body, 'email')
      const isWhole = ['name', 'birth_date'].every((it) => typeof fieldOf(body, it) === 'string')
      return isWhole && typeof email === 'string' && !email.includes('@') && email.length <= 120
    }),
    shows: async ({ send }) => (await send('POST /patients', { ...NEW, email: 'nobody' })).status,
  },
  'patient-sets-created-at': {
    describe: 'created_at is taken from the request, where it is sent: a read-only field is written.',
    operation: 'createPatient',
    expects: 'created_at of createPatient is what was sent.',
    plant: instead('createPatient', (call, right) => {
      const result = right(call)
      const { created_at } = call.sent
      if (result.status === 201 && typeof created_at === 'string')
        Object.assign(result.body as Row, { created_at })
      return result
    }),
    shows: async ({ patient }) =>
      (await patient({ created_at: '2001-01-01T00:00:00Z' })).created_at === '2001-01-01T00:00:00Z',
  },
  'patient-emoji-500': {
    describe: 'Remarks with an emoji fail in the database: 500.',
    operation: 'createPatient',
    expects: 'createPatient responds 500 to an emoji.',
    plant: refuse('createPatient', ({ body }) => /[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(body)), 500),
    shows: async ({ send }) => (await send('POST /patients', { ...NEW, remarks: '🦷' })).status,
  },
  'patients-pages-from-zero': {
    describe: 'Pages are counted from 0, so that page 1 is the second one.',
    operation: 'listPatients',
    expects: 'page=1 of listPatients lacks the newest records.',
    plant: asked('listPatients', (query) => ({ ...query, page: String(Number(query.page ?? 1) + 1) })),
    shows: async ({ patient, send }) => {
      await patient()
      return counted(send, 'GET /patients')
    },
  },
  'patients-pages-lack-the-last': {
    describe: 'The last record of each page is missing.',
    operation: 'listPatients',
    expects: 'Records are missing between the pages of listPatients; total is higher than what is listed.',
    plant: items('listPatients', (rows, { query }) => rows.slice(0, Number(query.limit ?? 20) - 1)),
    shows: async ({ patient, send }) => {
      await patient()
      return counted(send, 'GET /patients?limit=1')
    },
  },
  'patients-pages-overlap': {
    describe: 'Each page begins with the last record of the one before.',
    operation: 'listPatients',
    expects: 'A record is on two pages of listPatients.',
    plant: instead('listPatients', (call, right) => {
      const page = Number(call.query.page ?? 1)
      const limit = Number(call.query.limit ?? 20)
      const rows = filtered(call.state.patients, call.query, ['status', 'email'])
      const result = right(call)
      const from = (page - 1) * limit - (page > 1 ? 1 : 0)
      return { ...result, body: { ...(result.body as object), items: rows.slice(from, from + limit) } }
    }),
    shows: async ({ patient, send }) => {
      await patient()
      await patient()
      return counted(send, 'GET /patients?limit=1&page=3')
    },
  },
  'patients-total-of-the-page': {
    describe: 'total is the number of records on the page.',
    operation: 'listPatients',
    expects: 'total of listPatients with a small limit is not the number of records.',
    plant: response('listPatients', (body) => ({ ...body, total: (body.items as Row[]).length })),
    shows: async ({ patient, send }) => {
      await patient()
      await patient()
      return (await send('GET /patients?limit=1')).body.total
    },
  },
  'patients-status-after-the-cut': {
    describe: 'The filter status is applied to the page that was cut.',
    operation: 'listPatients',
    expects: 'Records with the status are missing from page 1 of listPatients?status=….',
    plant: instead('listPatients', (call, right) => {
      const { status, ...query } = call.query
      if (!status) return right(call)
      const result = right({ ...call, query })
      const rows = (result.body as { items: Row[] }).items.filter((it) => it.status === status)
      return { ...result, body: { ...(result.body as object), items: rows, total: rows.length } }
    }),
    shows: async ({ patient, send }) => {
      const { id, created_at: _, ...old } = await patient()
      await send(`PUT /patients/${id}`, { ...old, status: 'archived' })
      await patient()
      return counted(send, 'GET /patients?status=archived&limit=1')
    },
  },
  'patients-status-ignored': {
    describe: 'The filter status is ignored.',
    operation: 'listPatients',
    expects: 'listPatients?status=archived lists active patients.',
    plant: asked('listPatients', ({ status: _, ...query }) => query),
    shows: async ({ patient, send }) => {
      await patient()
      return counted(send, 'GET /patients?status=archived')
    },
  },
  'patients-email-contains': {
    describe: 'The filter email lists whoever has the text in their e-mail.',
    operation: 'listPatients',
    expects: 'listPatients?email=… lists a patient with another e-mail.',
    plant: instead('listPatients', (call, right) => {
      const { email, ...query } = call.query
      const rows = call.state.patients.filter((it) => String(it.email).includes(email ?? ''))
      return right({ ...call, query, state: { ...call.state, patients: rows } })
    }),
    shows: async ({ patient, send }) => {
      await patient({ email: 'ana@clinic.test' })
      await patient({ email: 'mariana@clinic.test' })
      return counted(send, 'GET /patients?email=ana@clinic.test')
    },
  },
  'patients-limit-ignored': {
    describe: 'A page holds 20 records, whatever limit says.',
    operation: 'listPatients',
    expects: 'listPatients?limit=1 lists more than one record.',
    plant: instead('listPatients', (call, right) => {
      const { limit: _, ...query } = call.query
      return right({ ...call, query })
    }),
    shows: async ({ patient, send }) => {
      await patient()
      await patient()
      return counted(send, 'GET /patients?limit=1')
    },
  },
  'patients-ten-by-default': {
    describe: 'A page holds ten records where no limit is given.',
    operation: 'listPatients',
    expects: 'listPatients without limit shows 10 records instead of 20 (default).',
    plant: asked('listPatients', (query) => ({ limit: '10', ...query })),
    shows: async ({ send }) => (await send('GET /patients')).body.limit,
  },
  'patients-deleted-listed': {
    describe: 'Deleted patients stay in the list.',
    operation: 'listPatients',
    also: ['deletePatient'],
    expects: 'listPatients shows a patient after its deletion.',
    plant: (clinic) => {
      const gone: Row[] = []
      const { deletePatient: right } = clinic.handlers
      clinic.handlers.deletePatient = (call) => {
        const row = find(call.state.patients, call.path.patient_id)
        const result = right(call)
        if (row && result.status === 204) gone.push(row)
        return result
      }
      clinic.handlers.listPatients = (call) =>
        paged(
          clinic,
          'page',
          filtered([...call.state.patients, ...gone], call.query, ['status', 'email']),
          call,
        )
    },
    shows: async ({ patient, send }) => {
      const { id } = await patient()
      await send(`DELETE /patients/${id}`)
      return counted(send, 'GET /patients')
    },
  },
  'patients-of-all-clinics': {
    describe: 'The list shows the patients of all clinics.',
    operation: 'listPatients',
    expects: 'listPatients shows a patient of another token.',
    plant: instead('listPatients', (call, right) => {
      const rows = call.states.flatMap(({ patients: it }) => it)
      return right({ ...call, state: { ...call.state, patients: rows } })
    }),
    shows: async ({ patient, elsewhere }) => {
      await patient()
      return counted(elsewhere, 'GET /patients')
    },
  },
  'patients-newest-missing': {
    describe: 'The newest patient is not listed until the next one comes: the index lags by one.',
    operation: 'listPatients',
    also: ['createPatient'],
    expects: 'listPatients lacks a patient that was just created.',
    plant: instead('listPatients', (call, right) =>
      right({ ...call, state: { ...call.state, patients: call.state.patients.slice(1) } }),
    ),
    shows: async ({ patient, send }) => {
      await patient()
      return counted(send, 'GET /patients')
    },
  },
  'patients-archived-shown-active': {
    describe: 'The list says active of patients that are archived.',
    operation: 'listPatients',
    also: ['getPatient', 'replacePatient'],
    expects: 'status of a patient differs between listPatients and getPatient.',
    plant: items('listPatients', (rows, { query }) =>
      query.status ? rows : rows.map((it) => ({ ...it, status: 'active' })),
    ),
    shows: async ({ patient, send }) => {
      const { id, created_at: _, ...old } = await patient()
      await send(`PUT /patients/${id}`, { ...old, status: 'archived' })
      return (await itemsOf(send, 'GET /patients'))[0]?.status
    },
  },
  'patients-page-past-the-end-404': {
    describe: 'A page past the last one is refused with 404.',
    operation: 'listPatients',
    expects: 'listPatients responds 404, which is not declared, to a page past the end.',
    plant: instead('listPatients', (call, right) => {
      const result = right(call)
      const isEmpty = (result.body as { items: Row[] }).items.length === 0
      return isEmpty && Number(call.query.page ?? 1) > 1 ? NOT_FOUND : result
    }),
    shows: async ({ send }) => (await send('GET /patients?page=9')).status,
  },
  'patients-limit-of-zero': {
    describe: 'A limit of 0 is taken, and means 20.',
    operation: 'listPatients',
    expects: 'listPatients takes limit=0 (minimum).',
    plant: (clinic) => {
      take('listPatients', ({ query }) => new URLSearchParams(query).get('limit') === '0')(clinic)
      asked('listPatients', (query) => (query.limit === '0' ? { ...query, limit: '20' } : query))(clinic)
    },
    shows: async ({ send }) => (await send('GET /patients?limit=0')).status,
  },
  'patient-of-other-clinics': {
    describe: 'A patient is shown to every clinic that knows the id.',
    operation: 'getPatient',
    expects: 'getPatient shows a patient of another token.',
    plant: everywhere('getPatient'),
    shows: async ({ patient, elsewhere }) =>
      (await elsewhere(`GET /patients/${(await patient()).id}`)).status,
  },
  'patient-odd-id-500': {
    describe: 'An id that is no UUID fails in the database: 500.',
    operation: 'getPatient',
    expects: 'getPatient responds 500 to an id that nobody has.',
    plant: refuse(
      'getPatient',
      ({ path }) => !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(path.patient_id ?? ''),
      500,
    ),
    shows: async ({ send }) => (await send('GET /patients/nobody')).status,
  },
  'patient-read-with-small-email': {
    describe: 'The e-mail is shown in small letters where a patient is read, and as it was sent elsewhere.',
    operation: 'getPatient',
    expects: 'email of a patient differs between getPatient and createPatient or listPatients.',
    plant: response('getPatient', (body) => ({ ...body, email: String(body.email).toLowerCase() })),
    shows: async ({ patient, send }) => {
      const { id } = await patient({ email: 'Ana.Sa@clinic.test' })
      return (await send(`GET /patients/${id}`)).body.email
    },
  },
  'put-keeps-what-is-left-out': {
    describe: 'A replacement keeps the telephone where it is left out.',
    operation: 'replacePatient',
    expects: 'phone of a patient must be emptied by replacePatient without phone.',
    plant: request('replacePatient', (body, { state, path }) => ({
      phone: find(state.patients, path.patient_id)?.phone ?? null,
      ...body,
    })),
    shows: async ({ patient, send }) => {
      const { id, name, email, birth_date } = await patient({ phone: '+5561912345678' })
      return (await send(`PUT /patients/${id}`, { name, email, birth_date, status: 'active' })).body.phone
    },
  },
  'put-ignores-status': {
    describe: 'A replacement leaves the status as it is.',
    operation: 'replacePatient',
    expects: 'status of replacePatient is not what was sent.',
    plant: request('replacePatient', (body) => without(body, 'status')),
    shows: async ({ patient, send }) => {
      const { id, created_at: _, ...old } = await patient()
      return (await send(`PUT /patients/${id}`, { ...old, status: 'archived' })).body.status
    },
  },
  'put-renews-created-at': {
    describe: 'A replacement sets created_at anew.',
    operation: 'replacePatient',
    expects: 'created_at of a patient changes by replacePatient.',
    plant: request('replacePatient', (body) => ({
      ...body,
      created_at: new Date(Date.now() + 1000).toISOString(),
    })),
    shows: async ({ patient, send }) => {
      const { id, created_at, ...old } = await patient()
      return (await send(`PUT /patients/${id}`, old)).body.created_at === created_at
    },
  },
  'put-email-twice': {
    describe: 'A replacement may give a patient the e-mail of another one.',
    operation: 'replacePatient',
    expects: 'replacePatient takes an e-mail that another patient has (409 is declared).',
    plant: instead('replacePatient', (call, right) => {
      const row = find(call.state.patients, call.path.patient_id)
      const alone = row ? [row] : []
      return right({ ...call, state: { ...call.state, patients: alone } })
    }),
    shows: async ({ patient, send }) => {
      const { email } = await patient()
      const { id, created_at: _, ...old } = await patient()
      return (await send(`PUT /patients/${id}`, { ...old, email })).status
    },
  },
  'put-own-email-refused': {
    describe: 'A replacement that leaves the e-mail as it is is refused: the patient has it already.',
    operation: 'replacePatient',
    expects: 'replacePatient refuses (409) the e-mail that the patient itself has.',
    plant: instead('replacePatient', (call, right) => {
      const row = find(call.state.patients, call.path.patient_id)
      return row && row.email === call.body.email ? error(409, 'email_taken') : right(call)
    }),
    shows: async ({ patient, send }) => {
      const { id, created_at: _, ...old } = await patient()
      return (await send(`PUT /patients/${id}`, old)).status
    },
  },
  'put-creates': {
    describe: 'A replacement of a patient that does not exist creates one.',
    operation: 'replacePatient',
    expects: 'replacePatient must respond 404 to an id that nobody has.',
    plant: instead('replacePatient', (call, right) => {
      const result = right(call)
      if (result.status !== 404) return result
      return { status: 200, body: add(call.state.patients, { phone: null, remarks: null, ...call.body }) }
    }),
    shows: async ({ send }) =>
      (await send(`PUT /patients/${crypto.randomUUID()}`, { ...NEW, status: 'active' })).status,
  },
  'put-not-saved': {
    describe: 'A replacement responds with the new patient, and does not save it.',
    operation: 'replacePatient',
    also: ['getPatient', 'listPatients'],
    expects: 'getPatient shows the patient as it was before replacePatient.',
    plant: instead('replacePatient', (call, right) =>
      right({ ...call, state: { ...call.state, patients: structuredClone(call.state.patients) } }),
    ),
    shows: async ({ patient, send }) => {
      const { id, created_at: _, ...old } = await patient()
      await send(`PUT /patients/${id}`, { ...old, name: 'Bia' })
      return (await send(`GET /patients/${id}`)).body.name
    },
  },
  'put-long-name': {
    describe: 'A replacement takes a name of any length.',
    operation: 'replacePatient',
    expects: 'replacePatient takes a name of 81 characters (maxLength).',
    plant: take('replacePatient', ({ body }) => {
      const isWhole = ['email', 'birth_date', 'status'].every((it) => typeof fieldOf(body, it) === 'string')
      return isWhole && String(fieldOf(body, 'name')).length > 80
    }),
    shows: async ({ patient, send }) => {
      const { id, created_at: _, ...old } = await patient()
      return (await send(`PUT /patients/${id}`, { ...old, name: 'n'.repeat(81) })).status
    },
  },
  'put-of-other-clinics': {
    describe: 'A clinic may replace the patients of another one.',
    operation: 'replacePatient',
    expects: 'replacePatient changes a patient of another token.',
    plant: everywhere('replacePatient'),
    shows: async ({ patient, elsewhere }) => {
      const { id, created_at: _, ...old } = await patient()
      return (await elsewhere(`PUT /patients/${id}`, old)).status
    },
  },
  'delete-nothing': {
    describe: 'A deletion responds 204 and deletes nothing.',
    operation: 'deletePatient',
    also: ['getPatient', 'listPatients'],
    expects: 'A patient is still shown after deletePatient.',
    plant: instead('deletePatient', ({ state, path }) =>
      find(state.patients, path.patient_id) ? { status: 204 } : NOT_FOUND,
    ),
    shows: async ({ patient, send }) => {
      const { id } = await patient()
      await send(`DELETE /patients/${id}`)
      return (await send(`GET /patients/${id}`)).status
    },
  },
  'delete-again-204': {
    describe: 'A patient that was deleted, or never was, is deleted with 204.',
    operation: 'deletePatient',
    expects: 'deletePatient must respond 404 to an id that nobody has.',
    plant: instead('deletePatient', (call, right) => {
      const result = right(call)
      return result.status === 404 ? { status: 204 } : result
    }),
    shows: async ({ send }) => (await send(`DELETE /patients/${crypto.randomUUID()}`)).status,
  },
  'delete-of-other-clinics': {
    describe: 'A clinic may delete the patients of another one.',
    operation: 'deletePatient',
    expects: 'deletePatient deletes a patient of another token.',
    plant: everywhere('deletePatient'),
    shows: async ({ patient, elsewhere }) =>
      (await elsewhere(`DELETE /patients/${(await patient()).id}`)).status,
  },
  'delete-takes-two': {
    describe: 'A deletion removes the patient that was created before as well.',
    operation: 'deletePatient',
    also: ['getPatient', 'listPatients'],
    expects: 'Another patient is gone after deletePatient.',
    plant: instead('deletePatient', ({ state: { patients: rows }, path }) => {
      const row = find(rows, path.patient_id)
      if (!row) return NOT_FOUND
      const next = rows[rows.indexOf(row) + 1]
      if (next) remove(rows, next)
      return remove(rows, row)
    }),
    shows: async ({ patient, send }) => {
      const first = await patient()
      const { id } = await patient()
      await send(`DELETE /patients/${id}`)
      return (await send(`GET /patients/${first.id}`)).status
    },
  },
}
