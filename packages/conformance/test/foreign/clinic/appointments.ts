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
  without,
} from './mutant.ts'
import { add, filtered, find, moved, NOT_FOUND, paged, type Row, remove, touched, utc } from './service.ts'

const NOTE = { author: 'Rui', text: 'Tudo bem.' }

export const appointments: ClinicMutants = {
  'appointment-of-unknown-patient': {
    describe: 'An appointment is booked for a patient who does not exist.',
    operation: 'createAppointment',
    expects: 'createAppointment takes a patient_id that nobody has (422 is declared).',
    plant: instead('createAppointment', (call, right) => {
      const { state, body } = call
      const isKnown = find(state.patients, String(body.patient_id))
      const anyone = { id: String(body.patient_id) }
      return right(isKnown ? call : { ...call, state: { ...state, patients: [anyone] } })
    }),
    shows: async ({ doctor, send }) => {
      const { id: doctor_id } = await doctor()
      const body = {
        patient_id: crypto.randomUUID(),
        doctor_id,
        starts_at: '2027-01-05T10:00:00Z',
        reason: 'x',
      }
      return (await send('POST /appointments', body)).status
    },
  },
  'appointment-with-doctor-of-other-clinics': {
    describe: 'An appointment is booked with a doctor of another clinic.',
    operation: 'createAppointment',
    expects: 'createAppointment takes a doctor_id of another token.',
    plant: instead('createAppointment', (call, right) => {
      const all = call.states.flatMap(({ doctors }) => doctors)
      return right({ ...call, state: { ...call.state, doctors: all } })
    }),
    shows: async ({ patient, send, elsewhere }) => {
      const doctor = { name: 'Eva', license: 'RJ00001', specialty: 'general', fee: 10 }
      const { id: doctor_id } = (await elsewhere('POST /doctors', doctor)).body
      const { id: patient_id } = await patient()
      const body = { patient_id, doctor_id, starts_at: '2027-01-05T10:00:00Z', reason: 'x' }
      return (await send('POST /appointments', body)).status
    },
  },
  'appointment-an-hour-by-default': {
    describe: 'duration_minutes is 60 where it is left out.',
    operation: 'createAppointment',
    expects: 'duration_minutes of createAppointment is 60 where none was sent (default 30).',
    plant: request('createAppointment', (body) => ({ duration_minutes: 60, ...body })),
    shows: async ({ appointment }) => (await appointment()).duration_minutes,
  },
  'appointment-loses-offset': {
    describe: 'The offset of starts_at is dropped: 10:00-03:00 becomes 10:00Z.',
    operation: 'createAppointment',
    expects: 'starts_at of createAppointment is another moment than was sent, where that has an offset.',
    plant: request('createAppointment', (body) => ({
      ...body,
      starts_at: String(body.starts_at).replace(/[+-]\d\d:\d\d$/, 'Z'),
    })),
    shows: async ({ appointment }) =>
      (await appointment({ starts_at: '2027-01-05T10:00:00-03:00' })).starts_at,
  },
  'appointment-parties-swapped': {
    describe: 'patient_id and doctor_id are the wrong way round in the response.',
    operation: 'createAppointment',
    expects: 'patient_id of createAppointment is the doctor_id that was sent.',
    plant: response('createAppointment', (body) => ({
      ...body,
      patient_id: body.doctor_id,
      doctor_id: body.patient_id,
    })),
    shows: async ({ patient, appointment }) => {
      const { id } = await patient()
      return (await appointment({ patient_id: id })).patient_id === id
    },
  },
  'appointment-of-four-hours-refused': {
    describe: 'A duration of 240 minutes is refused: the limit is off by one.',
    operation: 'createAppointment',
    expects: 'createAppointment refuses duration_minutes 240 (maximum).',
    plant: refuse('createAppointment', ({ body }) => body.duration_minutes === 240, 400),
    shows: async ({ appointment }) => (await appointment({ duration_minutes: 240 })).id !== undefined,
  },
  'appointments-patient-ignored': {
    describe: 'The filter patient_id is ignored.',
    operation: 'listAppointments',
    expects: 'listAppointments?patient_id=… lists appointments of another patient.',
    plant: asked('listAppointments', ({ patient_id: _, ...query }) => query),
    shows: async ({ appointment, send }) => {
      await appointment()
      return counted(send, `GET /appointments?patient_id=${crypto.randomUUID()}`)
    },
  },
  'appointments-either-filter': {
    describe: 'Of two filters, a record has to fit one.',
    operation: 'listAppointments',
    expects: 'listAppointments with status and patient_id lists records that fit only one of them.',
    plant: (clinic) => {
      const names = ['status', 'patient_id', 'doctor_id']
      clinic.handlers.listAppointments = (call) => {
        const given = names.filter((it) => call.query[it] !== undefined)
        const rows = call.state.appointments.filter(
          (row) => given.length === 0 || given.some((it) => filtered([row], call.query, [it]).length > 0),
        )
        return paged(clinic, 'page', rows, call)
      }
    },
    shows: async ({ appointment, send }) => {
      const { patient_id } = await appointment()
      return counted(send, `GET /appointments?status=cancelled&patient_id=${patient_id}`)
    },
  },
  'appointments-doctor-is-patient': {
    describe: 'The filter doctor_id is compared with patient_id.',
    operation: 'listAppointments',
    expects: 'listAppointments?doctor_id=… lacks the appointments of the doctor.',
    plant: asked('listAppointments', ({ doctor_id, ...query }) =>
      doctor_id ? { ...query, patient_id: doctor_id } : query,
    ),
    shows: async ({ appointment, send }) =>
      counted(send, `GET /appointments?doctor_id=${(await appointment()).doctor_id}`),
  },
  'appointments-old-status': {
    describe: 'The list shows every appointment as it was booked: scheduled.',
    operation: 'listAppointments',
    also: ['cancelAppointment', 'confirmAppointment', 'completeAppointment', 'getAppointment'],
    expects: 'status of an appointment differs between listAppointments and getAppointment.',
    plant: items('listAppointments', (rows, { query }) =>
      query.status ? rows : rows.map((it) => ({ ...it, status: 'scheduled' })),
    ),
    shows: async ({ appointment, send }) => {
      const { id } = await appointment()
      await send(`POST /appointments/${id}/cancel`)
      return (await itemsOf(send, 'GET /appointments'))[0]?.status
    },
  },
  'appointment-read-changes-it': {
    describe: 'Reading an appointment sets updated_at.',
    operation: 'getAppointment',
    expects: 'updated_at of an appointment changes by a mere read.',
    plant: instead('getAppointment', (call, right) => {
      const row = find(call.state.appointments, call.path.appointment_id)
      if (row) touched(row, {})
      return right(call)
    }),
    shows: async ({ appointment, send }) => {
      const { id, updated_at } = await appointment()
      return (await send(`GET /appointments/${id}`)).body.updated_at === updated_at
    },
  },
  'patch-appointment-empties-room': {
    describe: 'A change empties the room where it is left out.',
    operation: 'changeAppointment',
    expects: 'room changes by changeAppointment without it.',
    plant: request('changeAppointment', (body) => ({ room: null, ...body })),
    shows: async ({ appointment, send }) => {
      const { id } = await appointment({ room: 'A1' })
      return (await send(`PATCH /appointments/${id}`, { reason: 'y' })).body.room
    },
  },
  'patch-appointment-of-the-past': {
    describe: 'A cancelled appointment can still be changed.',
    operation: 'changeAppointment',
    expects: 'changeAppointment takes a change of a cancelled appointment (409 is declared).',
    plant: instead('changeAppointment', (call, right) => {
      const result = right(call)
      const row = find(call.state.appointments, call.path.appointment_id)
      if (result.status !== 409 || !row) return result
      return {
        status: 200,
        body: touched(row, { ...call.body, starts_at: utc(call.body.starts_at ?? row.starts_at) }),
      }
    }),
    shows: async ({ appointment, send }) => {
      const { id } = await appointment()
      await send(`POST /appointments/${id}/cancel`)
      return (await send(`PATCH /appointments/${id}`, { reason: 'y' })).status
    },
  },
  'confirm-twice': {
    describe: 'An appointment that is confirmed can be confirmed again.',
    operation: 'confirmAppointment',
    expects: 'confirmAppointment must be refused (409) the second time.',
    plant: ({ handlers }) => {
      handlers.confirmAppointment = moved('confirmed', ['scheduled', 'confirmed'])
    },
    shows: async ({ appointment, send }) => {
      const { id } = await appointment()
      await send(`POST /appointments/${id}/confirm`)
      return (await send(`POST /appointments/${id}/confirm`)).status
    },
  },
  'confirm-not-saved': {
    describe: 'A confirmation responds with status confirmed, and does not save it.',
    operation: 'confirmAppointment',
    also: ['getAppointment', 'listAppointments'],
    expects: 'getAppointment shows scheduled after confirmAppointment.',
    plant: instead('confirmAppointment', (call, right) =>
      right({ ...call, state: { ...call.state, appointments: structuredClone(call.state.appointments) } }),
    ),
    shows: async ({ appointment, send }) => {
      const { id } = await appointment()
      await send(`POST /appointments/${id}/confirm`)
      return (await send(`GET /appointments/${id}`)).body.status
    },
  },
  'cancel-of-other-clinics': {
    describe: 'A clinic may cancel the appointments of another one.',
    operation: 'cancelAppointment',
    expects: 'cancelAppointment cancels an appointment of another token.',
    plant: everywhere('cancelAppointment'),
    shows: async ({ appointment, elsewhere }) =>
      (await elsewhere(`POST /appointments/${(await appointment()).id}/cancel`)).status,
  },
  'cancel-completed': {
    describe: 'An appointment that is completed can be cancelled.',
    operation: 'cancelAppointment',
    expects: 'cancelAppointment must be refused (409) for a completed appointment.',
    plant: ({ handlers }) => {
      handlers.cancelAppointment = moved('cancelled', ['scheduled', 'confirmed', 'completed'])
    },
    shows: async ({ appointment, send }) => {
      const { id } = await appointment()
      await send(`POST /appointments/${id}/confirm`)
      await send(`POST /appointments/${id}/complete`)
      return (await send(`POST /appointments/${id}/cancel`)).status
    },
  },
  'cancel-deletes': {
    describe: 'A cancelled appointment is gone.',
    operation: 'cancelAppointment',
    also: ['getAppointment', 'listAppointments'],
    expects: 'getAppointment responds 404 after cancelAppointment.',
    plant: instead('cancelAppointment', (call, right) => {
      const result = right(call)
      const row = find(call.state.appointments, call.path.appointment_id)
      if (result.status === 200 && row) remove(call.state.appointments, row)
      return result
    }),
    shows: async ({ appointment, send }) => {
      const { id } = await appointment()
      await send(`POST /appointments/${id}/cancel`)
      return (await send(`GET /appointments/${id}`)).status
    },
  },
  'cancel-all-of-the-patient': {
    describe: 'A cancellation cancels every appointment of the patient.',
    operation: 'cancelAppointment',
    also: ['getAppointment', 'listAppointments'],
    expects: 'Another appointment is cancelled by cancelAppointment.',
    plant: instead('cancelAppointment', (call, right) => {
      const row = find(call.state.appointments, call.path.appointment_id)
      const result = right(call)
      const others = call.state.appointments.filter((it) => it.patient_id === row?.patient_id && it !== row)
      if (result.status === 200) for (const it of others) Object.assign(it, { status: 'cancelled' })
      return result
    }),
    shows: async ({ appointment, send }) => {
      const { id, patient_id } = await appointment()
      const other = await appointment({ patient_id })
      await send(`POST /appointments/${id}/cancel`)
      return (await send(`GET /appointments/${other.id}`)).body.status
    },
  },
  'complete-unconfirmed': {
    describe: 'An appointment that was not confirmed can be completed.',
    operation: 'completeAppointment',
    expects: 'completeAppointment must be refused (409) for a scheduled appointment.',
    plant: ({ handlers }) => {
      handlers.completeAppointment = moved('completed', ['scheduled', 'confirmed'])
    },
    shows: async ({ appointment, send }) =>
      (await send(`POST /appointments/${(await appointment()).id}/complete`)).status,
  },
  'complete-unknown-500': {
    describe: 'Completing an appointment that does not exist fails: 500.',
    operation: 'completeAppointment',
    expects: 'completeAppointment responds 500 to an id that nobody has.',
    plant: refuse(
      'completeAppointment',
      ({ state, path }) => !find(state.appointments, path.appointment_id),
      500,
    ),
    shows: async ({ send }) => (await send(`POST /appointments/${crypto.randomUUID()}/complete`)).status,
  },
  'note-of-unknown-appointment': {
    describe: 'A note is written on an appointment that does not exist.',
    operation: 'createNote',
    expects: 'createNote must respond 404 to an appointment that nobody has.',
    plant: instead('createNote', ({ state, path, body }) => ({
      status: 201,
      body: add(state.notes, { appointment_id: String(path.appointment_id), pinned: false, ...body }),
    })),
    shows: async ({ send }) => (await send(`POST /appointments/${crypto.randomUUID()}/notes`, NOTE)).status,
  },
  'note-text-escaped': {
    describe: 'The text of a note is escaped as HTML.',
    operation: 'createNote',
    expects: 'text of createNote differs from what was sent (&, <).',
    plant: request('createNote', (body) => ({
      ...body,
      text: String(body.text).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    })),
    shows: async ({ note }) => (await note({ text: 'a < b & c' })).text,
  },
  'note-pinned-lost': {
    describe: 'pinned is false, whatever was sent.',
    operation: 'createNote',
    expects: 'pinned of createNote is false where true was sent.',
    plant: request('createNote', (body) => ({ ...body, pinned: false })),
    shows: async ({ note }) => (await note({ pinned: true })).pinned,
  },
  'notes-of-all-appointments': {
    describe: 'The list shows the notes of all appointments.',
    operation: 'listNotes',
    expects: 'listNotes shows a note with another appointment_id.',
    plant: instead('listNotes', (call, right) => {
      const result = right(call)
      if (result.status !== 200) return result
      return { ...result, body: { items: filtered(call.state.notes, call.query, ['pinned']) } }
    }),
    shows: async ({ note, appointment, send }) => {
      await note()
      return counted(send, `GET /appointments/${(await appointment()).id}/notes`)
    },
  },
  'note-through-another-appointment': {
    describe: 'A note is shown below any appointment.',
    operation: 'getNote',
    expects: 'getNote shows a note below an appointment that it is not of.',
    plant: instead('getNote', ({ state, path }) => {
      const row = find(state.notes, path.note_id)
      return row && find(state.appointments, path.appointment_id) ? { status: 200, body: row } : NOT_FOUND
    }),
    shows: async ({ note, appointment, send }) => {
      const { id } = await note()
      return (await send(`GET /appointments/${(await appointment()).id}/notes/${id}`)).status
    },
  },
  'note-deleted-still-listed': {
    describe: 'A deleted note is still listed, and no longer shown alone.',
    operation: 'deleteNote',
    also: ['listNotes'],
    expects: 'listNotes shows a note after deleteNote.',
    plant: (clinic) => {
      const gone: Row[] = []
      const { deleteNote, listNotes } = clinic.handlers
      clinic.handlers.deleteNote = (call) => {
        const row = find(call.state.notes, call.path.note_id)
        const result = deleteNote(call)
        if (result.status === 204 && row) gone.push(row)
        return result
      }
      clinic.handlers.listNotes = (call) =>
        listNotes({ ...call, state: { ...call.state, notes: [...call.state.notes, ...gone] } })
    },
    shows: async ({ note, send }) => {
      const { id, appointment_id } = await note()
      await send(`DELETE /appointments/${appointment_id}/notes/${id}`)
      return counted(send, `GET /appointments/${appointment_id}/notes`)
    },
  },
  'note-without-author-in-list': {
    describe: 'The list lacks the author.',
    operation: 'listNotes',
    expects: 'items/0 of listNotes lacks author, which is required.',
    plant: items('listNotes', (rows) => rows.map((it) => without(it, 'author') as Row)),
    shows: async ({ note, send }) => {
      const { appointment_id } = await note()
      return (await itemsOf(send, `GET /appointments/${appointment_id}/notes`))[0]?.author
    },
  },
}

/** Faults in access control and errors. */
export const access: ClinicMutants = {
  'doctors-for-nobody': {
    describe: 'The list of doctors needs no token.',
    operation: 'listDoctors',
    expects: 'listDoctors succeeds without a token.',
    plant: ({ parts }) => {
      const { clinicOf } = parts
      parts.clinicOf = (headers, id) => clinicOf(headers, id) ?? (id === 'listDoctors' ? 0 : undefined)
    },
    shows: async ({ send }) => (await send('GET /doctors', undefined, null)).status,
  },
  'appointment-for-any-token': {
    describe: 'An appointment is read with any token: only that there is one is looked at.',
    operation: 'getAppointment',
    expects: 'getAppointment succeeds with a token that nobody has.',
    plant: ({ parts }) => {
      const { clinicOf } = parts
      parts.clinicOf = (headers, id) =>
        clinicOf(headers, id) ??
        (id === 'getAppointment' && /^bearer \S/i.test(headers.get('authorization') ?? '') ? 0 : undefined)
    },
    shows: async ({ appointment, send }) =>
      (await send(`GET /appointments/${(await appointment()).id}`, undefined, 'nobody')).status,
  },
  'conflict-without-code': {
    describe: 'The refusal of a confirmation has another form than the other errors: error instead of code.',
    operation: 'confirmAppointment',
    expects: 'The 409 of confirmAppointment lacks code, which is required.',
    plant: instead('confirmAppointment', (call, right) => {
      const result = right(call)
      return result.status === 409 ? { ...result, body: { error: fieldOf(result.body, 'code') } } : result
    }),
    shows: async ({ appointment, send }) => {
      const { id } = await appointment()
      await send(`POST /appointments/${id}/confirm`)
      return Object.keys((await send(`POST /appointments/${id}/confirm`)).body)
    },
  },
  'not-found-as-text': {
    describe: 'A doctor who does not exist is text/plain: Not Found.',
    operation: 'getDoctor',
    expects: 'The 404 of getDoctor is text/plain instead of application/json.',
    plant: instead('getDoctor', (call, right) => {
      const result = right(call)
      const headers = { 'content-type': 'text/plain' }
      return result.status === 404 ? { status: 404, body: 'Not Found', headers } : result
    }),
    shows: async ({ send }) => (await send('GET /doctors/nobody')).type,
  },
}
