import { createValidator } from '@partner-payments/validator'
import { clinic as contract } from './contract.ts'

/** Tokens of two clinics, which must not see each other's data. */
export const TOKENS = ['clinic-token-0001', 'clinic-token-0002'] as const

export type Row = Record<string, unknown> & { id: string }
export type Table = 'patients' | 'doctors' | 'appointments' | 'notes'
export type State = Record<Table, Row[]>

export interface Call {
  readonly operation: Operation
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The body, with only the fields of the contract. */
  readonly body: Readonly<Record<string, unknown>>
  /** The body as it was sent, with unknown fields. */
  readonly sent: Readonly<Record<string, unknown>>
  readonly headers: Headers
  /** The records of the calling clinic. */
  readonly state: State
  /** The records of all clinics. */
  readonly states: readonly State[]
}

export interface Result {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (call: Call) => Result
export type Operation = keyof typeof HANDLERS

/** A service whose parts a mutant may replace. */
export interface Clinic {
  readonly handlers: Record<Operation, Handler>
  readonly parts: {
    /** A part of the rows, newest first. */
    slice(rows: readonly Row[], from: number, count: number): Row[]
    /** The response to an invalid request; undefined if it is valid. */
    refused(request: Asked): Result | undefined
    /** The index of the calling clinic; undefined without valid credentials. */
    clinicOf(headers: Headers, operation: Operation): number | undefined
  }
  readonly fetch: (request: Request) => Promise<Response>
}

/** A request that is not validated yet. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Headers
  readonly body: unknown
  readonly operation: Operation
}

export function error(status: number, code: string): Result {
  return { status, body: { code, message: `The request was refused: ${code}.` } }
}

const LISTED = { page: { size: 20 }, offset: { size: 25 } }

/** A page of a list, by `page` and `limit`, or by `offset` and `limit`. */
export function paged(
  clinic: Clinic,
  place: 'page' | 'offset',
  rows: readonly Row[],
  { query }: Pick<Call, 'query'>,
): Result {
  const limit = Number(query.limit ?? LISTED[place].size)
  const at = Number(query[place] ?? (place === 'page' ? 1 : 0))
  const from = place === 'page' ? (at - 1) * limit : at
  return {
    status: 200,
    body: { items: clinic.parts.slice(rows, from, limit), [place]: at, limit, total: rows.length },
  }
}

/** The rows that match the query. */
export function filtered(rows: readonly Row[], query: Call['query'], names: readonly string[]): Row[] {
  return rows.filter((row) => names.every((it) => query[it] === undefined || String(row[it]) === query[it]))
}

export function find(rows: readonly Row[], id: string | undefined): Row | undefined {
  return rows.find((row) => row.id === id)
}

/** Inserts a new row at the beginning. */
export function add(rows: Row[], values: Record<string, unknown>): Row {
  const row = { id: crypto.randomUUID(), ...values, created_at: new Date().toISOString() }
  rows.unshift(row)
  return row
}

export function remove(rows: Row[], row: Row): Result {
  rows.splice(rows.indexOf(row), 1)
  return { status: 204 }
}

export const NOT_FOUND = error(404, 'not_found')

export function isTaken(rows: readonly Row[], field: string, value: unknown, but?: Row): boolean {
  return value !== undefined && rows.some((row) => row !== but && row[field] === value)
}

/** A stored time, in UTC. */
export function utc(moment: unknown): string {
  // Date does not support leap seconds (RFC 3339, section 5.7).
  return new Date(String(moment).replace(/:60(?=[.Z+-])/, ':59')).toISOString()
}

const FROM: Readonly<Record<string, readonly string[]>> = {
  confirmed: ['scheduled'],
  completed: ['confirmed'],
  cancelled: ['scheduled', 'confirmed'],
}

/** Changes the status of an appointment. */
export function moved(status: string, from: readonly string[] = FROM[status] ?? []): Handler {
  return ({ state, path }) => {
    const row = find(state.appointments, path.appointment_id)
    if (!row) return NOT_FOUND
    if (!from.includes(String(row.status))) return error(409, `already_${row.status}`)
    return { status: 200, body: touched(row, { status }) }
  }
}

/** Updates an appointment and its time of change. */
export function touched(row: Row, values: Record<string, unknown>): Row {
  const later = Math.max(Date.now(), Date.parse(String(row.updated_at)) + 1)
  return Object.assign(row, values, { updated_at: new Date(later).toISOString() })
}

const HANDLERS = {
  listPatients: (call: Call, clinic: Clinic) =>
    paged(clinic, 'page', filtered(call.state.patients, call.query, ['status', 'email']), call),
  createPatient: ({ state: { patients }, body }: Call): Result => {
    if (isTaken(patients, 'email', body.email)) return error(409, 'email_taken')
    const empty = { phone: null, remarks: null }
    return { status: 201, body: add(patients, { ...empty, ...body, status: 'active' }) }
  },
  getPatient: ({ state, path }: Call) => shown(find(state.patients, path.patient_id)),
  replacePatient: ({ state: { patients }, path, body }: Call): Result => {
    const row = find(patients, path.patient_id)
    if (!row) return NOT_FOUND
    if (isTaken(patients, 'email', body.email, row)) return error(409, 'email_taken')
    return { status: 200, body: Object.assign(row, { phone: null, remarks: null }, body) }
  },
  deletePatient: ({ state: { patients }, path }: Call) => {
    const row = find(patients, path.patient_id)
    return row ? remove(patients, row) : NOT_FOUND
  },
  listDoctors: (call: Call, clinic: Clinic) =>
    paged(
      clinic,
      'offset',
      filtered(call.state.doctors, call.query, ['specialty', 'accepts_new_patients']),
      call,
    ),
  createDoctor: ({ state: { doctors }, body }: Call): Result => {
    if (isTaken(doctors, 'license', body.license)) return error(409, 'license_taken')
    return { status: 201, body: add(doctors, { accepts_new_patients: true, ...body }) }
  },
  getDoctor: ({ state, path }: Call) => shown(find(state.doctors, path.doctor_id)),
  changeDoctor: ({ state: { doctors }, path, body }: Call): Result => {
    const row = find(doctors, path.doctor_id)
    if (!row) return NOT_FOUND
    if (isTaken(doctors, 'license', body.license, row)) return error(409, 'license_taken')
    return { status: 200, body: Object.assign(row, body) }
  },
  listAppointments: (call: Call, clinic: Clinic) =>
    paged(
      clinic,
      'page',
      filtered(call.state.appointments, call.query, ['status', 'patient_id', 'doctor_id']),
      call,
    ),
  createAppointment: ({ state, body }: Call): Result => {
    const doctor = find(state.doctors, String(body.doctor_id))
    if (!doctor || !find(state.patients, String(body.patient_id))) return error(422, 'unknown_party')
    const given = { duration_minutes: 30, room: null, ...body, starts_at: utc(body.starts_at) }
    const row = add(state.appointments, { ...given, status: 'scheduled', price: doctor.fee })
    return { status: 201, body: Object.assign(row, { updated_at: row.created_at }) }
  },
  getAppointment: ({ state, path }: Call) => shown(find(state.appointments, path.appointment_id)),
  changeAppointment: ({ state, path, body }: Call): Result => {
    const row = find(state.appointments, path.appointment_id)
    if (!row) return NOT_FOUND
    if (['completed', 'cancelled'].includes(String(row.status))) return error(409, `already_${row.status}`)
    const starts_at = utc(body.starts_at ?? row.starts_at)
    return { status: 200, body: touched(row, { ...body, starts_at }) }
  },
  confirmAppointment: moved('confirmed'),
  completeAppointment: moved('completed'),
  cancelAppointment: moved('cancelled'),
  listNotes: ({ state, path, query }: Call): Result => {
    if (!find(state.appointments, path.appointment_id)) return NOT_FOUND
    const notes = state.notes.filter((it) => it.appointment_id === path.appointment_id)
    return { status: 200, body: { items: filtered(notes, query, ['pinned']) } }
  },
  createNote: ({ state, path, body }: Call): Result => {
    const appointment = find(state.appointments, path.appointment_id)
    if (!appointment) return NOT_FOUND
    return { status: 201, body: add(state.notes, { appointment_id: appointment.id, pinned: false, ...body }) }
  },
  getNote: (call: Call) => shown(noteOf(call)),
  deleteNote: (call: Call) => {
    const row = noteOf(call)
    return row ? remove(call.state.notes, row) : NOT_FOUND
  },
}

function shown(row: Row | undefined): Result {
  return row ? { status: 200, body: row } : NOT_FOUND
}

export function noteOf({ state, path }: Call): Row | undefined {
  const row = find(state.notes, path.note_id)
  return row?.appointment_id === path.appointment_id ? row : undefined
}

/** Creates a clinic, changed by a mutant. */
export function createClinic(plant: (clinic: Clinic) => void = () => {}): Clinic {
  const validator = createValidator(contract)
  const states = TOKENS.map((): State => ({ patients: [], doctors: [], appointments: [], notes: [] }))
  const handlers = {} as Record<Operation, Handler>
  const clinic: Clinic = {
    handlers,
    parts: {
      slice: (rows, from, count) => rows.slice(from, from + count),
      refused: (asked) => refusedBy(validator, asked),
      clinicOf(headers) {
        const [, token] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
        const i = TOKENS.map(String).indexOf(String(token))
        return i === -1 ? undefined : i
      },
    },
    fetch,
  }
  for (const [name, handler] of Object.entries(HANDLERS))
    handlers[name as Operation] = (call) => handler(call, clinic)
  plant(clinic)
  return clinic

  async function fetch(request: Request): Promise<Response> {
    const { pathname: path, search: query } = new URL(request.url)
    const { method, headers } = request
    const found = validator.findOperation(method, path)
    if (!found.found)
      return rendered(method, { ...error(found.status, 'no_operation'), headers: allow(found) })
    const operation = found.operation.id as Operation
    const who = clinic.parts.clinicOf(headers, operation)
    const state = who === undefined ? undefined : states[who]
    if (!state)
      return rendered(method, { ...error(401, 'unauthorized'), headers: { 'www-authenticate': 'Bearer' } })
    const read = await bodyOf(request)
    if (!read) return rendered(method, error(400, 'no_json'))
    const refused = clinic.parts.refused({ method, path, query, headers, body: read.body, operation })
    if (refused) return rendered(method, refused)
    const sent = isObject(read.body) ? read.body : {}
    const named = found.operation.pointer
    const body = Object.fromEntries(Object.entries(sent).filter(([name]) => fieldsAt(named).includes(name)))
    const asked = Object.fromEntries(new URLSearchParams(query))
    const call = { operation, path: found.parameters, query: asked, body, sent, headers, state, states }
    return rendered(method, clinic.handlers[operation](call))
  }
}

type Validator = ReturnType<typeof createValidator>

function refusedBy(validator: Validator, { method, path, query, headers, body }: Asked): Result | undefined {
  const findings = validator.validateRequest({ method, path, query, headers, body })
  if (findings.length === 0) return undefined
  return findings.some(({ place }) => place === 'media-type') ? error(415, 'no_json') : error(400, 'invalid')
}

function allow(found: ReturnType<Validator['findOperation']>): Record<string, string> {
  return found.found || found.status !== 405 ? {} : { allow: found.allow.join(', ') }
}

/** The fields of a request body, by its pointer into the contract. */
function fieldsAt(pointer: string): readonly string[] {
  const method = pointer.slice(pointer.lastIndexOf('/') + 1)
  const path = pointer.slice('/paths/'.length, pointer.lastIndexOf('/')).replaceAll('~1', '/')
  const item = (contract.paths as Record<string, Record<string, unknown>>)[path]
  const schema = JSON.stringify(item?.[method]).match(/"requestBody".*?#\/components\/schemas\/(\w+)/)?.[1]
  return schema ? namesIn(schema) : []
}

function namesIn(schema: string): string[] {
  const found = (contract.components.schemas as Record<string, { properties?: object; allOf?: object[] }>)[
    schema
  ]
  if (found?.properties) return Object.keys(found.properties)
  return schema === 'PatientReplacement' ? [...namesIn('NewPatient'), 'status'] : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parsed body; undefined if it claims to be JSON but is not. */
async function bodyOf(request: Request): Promise<{ readonly body: unknown } | undefined> {
  const text = await request.text()
  const type = request.headers.get('content-type')
  if (!text || (type && !/^application\/json\s*(;|$)/i.test(type))) return { body: text || undefined }
  try {
    return { body: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function rendered(method: string, { status, body, headers = {} }: Result): Response {
  if (body === undefined) return new Response(null, { status, headers })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(method === 'HEAD' ? null : text, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
