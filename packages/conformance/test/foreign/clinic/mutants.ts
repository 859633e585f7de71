import { access, appointments } from './appointments.ts'
import { clinic as contract } from './contract.ts'
import { doctors } from './doctors.ts'
import type { ClinicMutant, ClinicStage, Seen, Send } from './mutant.ts'
import { patients } from './patients.ts'
import { createClinic, type Row, TOKENS } from './service.ts'

/** Bugs of the clinic, written without reading the rules of the checker. */
export const clinicMutants: readonly ClinicMutant[] = [patients, doctors, appointments, access].flatMap(
  (table) => Object.entries(table).map(([id, mutant]) => ({ id, ...mutant })),
)

/** The options of the checker for the clinic. */
export const configurationOfClinic = {
  contract,
  target: 'sandbox' as const,
  credentials: { token: TOKENS[0] },
  other: { token: TOKENS[1] },
  timeMs: 500,
}

/** Opens a clinic, optionally with a mutant. */
export function openClinic(id?: string): (request: Request) => Promise<Response> {
  return createClinic(clinicMutants.find((it) => it.id === id)?.plant).fetch
}

/** Prepares a clinic for the proof of a mutant. */
export function stageOf(fetch: (request: Request) => Promise<Response>): ClinicStage {
  const send = sender(fetch, TOKENS[0])
  let count = 0
  const created = async (line: string, body: object) => (await send(line, body)).body as Row
  const patient = (more = {}) => {
    count += 1
    const email = `patient${count}@clinic.test`
    return created('POST /patients', { name: 'Ana', email, birth_date: '1990-05-17', ...more })
  }
  const doctor = (more = {}) => {
    count += 1
    const license = `SP${String(count).padStart(5, '0')}`
    return created('POST /doctors', { name: 'Rui', license, specialty: 'pediatrics', fee: 150.5, ...more })
  }
  const appointment = async (more = {}) => {
    const [{ id: patient_id }, { id: doctor_id }] = [await patient(), await doctor()]
    const body = { patient_id, doctor_id, starts_at: '2027-01-05T10:00:00Z', reason: 'Check-up', ...more }
    return created('POST /appointments', body)
  }
  const note = async (more = {}) => {
    const { id } = await appointment()
    return created(`POST /appointments/${id}/notes`, { author: 'Rui', text: 'Tudo bem.', ...more })
  }
  return { send, elsewhere: sender(fetch, TOKENS[1]), patient, doctor, appointment, note }
}

function sender(fetch: (request: Request) => Promise<Response>, own: string): Send {
  return async (line, body, token = own): Promise<Seen> => {
    const [method = '', path = ''] = line.split(' ')
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const content = body ? JSON.stringify(body) : null
    const response = await fetch(new Request(`http://clinic.test${path}`, { method, headers, body: content }))
    const text = await response.text()
    const type = response.headers.get('content-type')
    return { status: response.status, type, body: type?.includes('json') && text ? JSON.parse(text) : {} }
  }
}
