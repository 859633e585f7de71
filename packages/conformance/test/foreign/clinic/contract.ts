const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'The token is missing or wrong.',
  404: 'It does not exist in this clinic.',
  409: 'It conflicts with what is there.',
  415: 'The body is not JSON.',
  422: 'It refers to something that does not exist in this clinic.',
}

/** The contract of a clinic, without links, examples, open questions or anything else of our own contract. */
export const clinic = {
  openapi: '3.1.0',
  info: {
    title: 'Clinic',
    version: '2.3.0',
    description: 'Patients, doctors, appointments and their notes.',
  },
  servers: [{ url: 'https://clinic.test' }],
  security: [{ token: [] }],
  paths: {
    '/patients': {
      get: operation('listPatients', 'Patients of the clinic, newest first.', {
        parameters: [
          number('page', { minimum: 1, default: 1 }),
          number('limit', { minimum: 1, maximum: 50, default: 20 }),
          query('status', { enum: ['active', 'archived'] }),
          query('email', { type: 'string' }),
        ],
        responses: { 200: of('PatientPage'), ...errors(400) },
      }),
      post: operation('createPatient', 'Registers a patient. An e-mail belongs to one patient.', {
        requestBody: body('NewPatient'),
        responses: { 201: of('Patient'), ...errors(400, 409, 415) },
      }),
    },
    '/patients/{patient_id}': {
      parameters: [id('patient_id')],
      get: operation('getPatient', 'A patient.', { responses: { 200: of('Patient'), ...errors(404) } }),
      put: operation('replacePatient', 'Replaces a patient: what is left out is emptied.', {
        requestBody: body('PatientReplacement'),
        responses: { 200: of('Patient'), ...errors(400, 404, 409, 415) },
      }),
      delete: operation('deletePatient', 'Deletes a patient for good.', {
        responses: { 204: { description: 'Deleted.' }, ...errors(404) },
      }),
    },
    '/doctors': {
      get: operation('listDoctors', 'Doctors of the clinic, newest first.', {
        parameters: [
          number('offset', { minimum: 0, default: 0 }),
          number('limit', { minimum: 1, maximum: 100, default: 25 }),
          query('specialty', { $ref: '#/components/schemas/Specialty' }),
          query('accepts_new_patients', { type: 'boolean' }),
        ],
        responses: { 200: of('DoctorPage'), ...errors(400) },
      }),
      post: operation('createDoctor', 'Adds a doctor. A license belongs to one doctor.', {
        requestBody: body('NewDoctor'),
        responses: { 201: of('Doctor'), ...errors(400, 409, 415) },
      }),
    },
    '/doctors/{doctor_id}': {
      parameters: [id('doctor_id')],
      get: operation('getDoctor', 'A doctor.', { responses: { 200: of('Doctor'), ...errors(404) } }),
      patch: operation('changeDoctor', 'Changes what is sent, and leaves the rest.', {
        requestBody: body('DoctorChange'),
        responses: { 200: of('Doctor'), ...errors(400, 404, 409, 415) },
      }),
    },
    '/appointments': {
      get: operation('listAppointments', 'Appointments of the clinic, newest first.', {
        parameters: [
          number('page', { minimum: 1, default: 1 }),
          number('limit', { minimum: 1, maximum: 50, default: 20 }),
          query('status', { $ref: '#/components/schemas/AppointmentStatus' }),
          query('patient_id', { type: 'string', format: 'uuid' }),
          query('doctor_id', { type: 'string', format: 'uuid' }),
        ],
        responses: { 200: of('AppointmentPage'), ...errors(400) },
      }),
      post: operation(
        'createAppointment',
        'Books a patient in with a doctor. Both have to be of the clinic.',
        {
          requestBody: body('NewAppointment'),
          responses: { 201: of('Appointment'), ...errors(400, 415, 422) },
        },
      ),
    },
    '/appointments/{appointment_id}': {
      parameters: [id('appointment_id')],
      get: operation('getAppointment', 'An appointment.', {
        responses: { 200: of('Appointment'), ...errors(404) },
      }),
      patch: operation(
        'changeAppointment',
        'Changes an appointment that is neither completed nor cancelled.',
        {
          requestBody: body('AppointmentChange'),
          responses: { 200: of('Appointment'), ...errors(400, 404, 409, 415) },
        },
      ),
    },
    '/appointments/{appointment_id}/confirm': action(
      'confirmAppointment',
      'Confirms a scheduled appointment.',
    ),
    '/appointments/{appointment_id}/complete': action(
      'completeAppointment',
      'Closes a confirmed appointment.',
    ),
    '/appointments/{appointment_id}/cancel': action(
      'cancelAppointment',
      'Cancels an appointment that is scheduled or confirmed.',
    ),
    '/appointments/{appointment_id}/notes': {
      parameters: [id('appointment_id')],
      get: operation('listNotes', 'The notes of an appointment, newest first.', {
        parameters: [query('pinned', { type: 'boolean' })],
        responses: { 200: of('NoteList'), ...errors(400, 404) },
      }),
      post: operation('createNote', 'Writes a note.', {
        requestBody: body('NewNote'),
        responses: { 201: of('Note'), ...errors(400, 404, 415) },
      }),
    },
    '/appointments/{appointment_id}/notes/{note_id}': {
      parameters: [id('appointment_id'), id('note_id')],
      get: operation('getNote', 'A note of the appointment.', {
        responses: { 200: of('Note'), ...errors(404) },
      }),
      delete: operation('deleteNote', 'Deletes a note.', {
        responses: { 204: { description: 'Deleted.' }, ...errors(404) },
      }),
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      NewPatient: object(
        {
          name: { type: 'string', minLength: 1, maxLength: 80 },
          email: { type: 'string', format: 'email', maxLength: 120 },
          birth_date: { type: 'string', format: 'date' },
          phone: { type: ['string', 'null'], pattern: '^\\+[0-9]{8,15}$' },
          remarks: { type: ['string', 'null'], maxLength: 300 },
        },
        ['name', 'email', 'birth_date'],
      ),
      PatientReplacement: {
        allOf: [
          { $ref: '#/components/schemas/NewPatient' },
          object({ status: { type: 'string', enum: ['active', 'archived'] } }),
        ],
      },
      Patient: object({
        id: { type: 'string', format: 'uuid' },
        name: { type: 'string' },
        email: { type: 'string' },
        birth_date: { type: 'string', format: 'date' },
        phone: { type: ['string', 'null'] },
        remarks: { type: ['string', 'null'] },
        status: { type: 'string', enum: ['active', 'archived'] },
        created_at: { type: 'string', format: 'date-time', readOnly: true },
      }),
      PatientPage: page('Patient', 'page'),
      Specialty: { type: 'string', enum: ['general', 'pediatrics', 'cardiology', 'dermatology'] },
      NewDoctor: object(
        {
          name: { type: 'string', minLength: 1, maxLength: 80 },
          license: { type: 'string', pattern: '^[A-Z]{2}[0-9]{5}$' },
          specialty: { $ref: '#/components/schemas/Specialty' },
          fee: { type: 'number', minimum: 0, maximum: 10_000, multipleOf: 0.01 },
          accepts_new_patients: { type: 'boolean', default: true },
        },
        ['name', 'license', 'specialty', 'fee'],
      ),
      DoctorChange: object(
        {
          name: { type: 'string', minLength: 1, maxLength: 80 },
          license: { type: 'string', pattern: '^[A-Z]{2}[0-9]{5}$' },
          specialty: { $ref: '#/components/schemas/Specialty' },
          fee: { type: 'number', minimum: 0, maximum: 10_000, multipleOf: 0.01 },
          accepts_new_patients: { type: 'boolean' },
        },
        [],
      ),
      Doctor: object({
        id: { type: 'string', format: 'uuid' },
        name: { type: 'string' },
        license: { type: 'string' },
        specialty: { $ref: '#/components/schemas/Specialty' },
        fee: { type: 'number' },
        accepts_new_patients: { type: 'boolean' },
        created_at: { type: 'string', format: 'date-time', readOnly: true },
      }),
      DoctorPage: page('Doctor', 'offset'),
      AppointmentStatus: { type: 'string', enum: ['scheduled', 'confirmed', 'completed', 'cancelled'] },
      NewAppointment: object(
        {
          patient_id: { type: 'string', format: 'uuid' },
          doctor_id: { type: 'string', format: 'uuid' },
          starts_at: { type: 'string', format: 'date-time' },
          duration_minutes: { type: 'integer', minimum: 10, maximum: 240, default: 30 },
          room: { type: ['string', 'null'], maxLength: 10 },
          reason: { type: 'string', minLength: 1, maxLength: 200 },
        },
        ['patient_id', 'doctor_id', 'starts_at', 'reason'],
      ),
      AppointmentChange: object(
        {
          starts_at: { type: 'string', format: 'date-time' },
          duration_minutes: { type: 'integer', minimum: 10, maximum: 240 },
          room: { type: ['string', 'null'], maxLength: 10 },
          reason: { type: 'string', minLength: 1, maxLength: 200 },
        },
        [],
      ),
      Appointment: object({
        id: { type: 'string', format: 'uuid' },
        patient_id: { type: 'string', format: 'uuid' },
        doctor_id: { type: 'string', format: 'uuid' },
        starts_at: { type: 'string', format: 'date-time' },
        duration_minutes: { type: 'integer' },
        room: { type: ['string', 'null'] },
        reason: { type: 'string' },
        status: { $ref: '#/components/schemas/AppointmentStatus' },
        price: { type: 'number', description: 'The fee of the doctor when it was booked.', readOnly: true },
        created_at: { type: 'string', format: 'date-time', readOnly: true },
        updated_at: { type: 'string', format: 'date-time', readOnly: true },
      }),
      AppointmentPage: page('Appointment', 'page'),
      NewNote: object(
        {
          author: { type: 'string', minLength: 1, maxLength: 60 },
          text: { type: 'string', minLength: 1, maxLength: 2000 },
          pinned: { type: 'boolean', default: false },
        },
        ['author', 'text'],
      ),
      Note: object({
        id: { type: 'string', format: 'uuid' },
        appointment_id: { type: 'string', format: 'uuid' },
        author: { type: 'string' },
        text: { type: 'string' },
        pinned: { type: 'boolean' },
        created_at: { type: 'string', format: 'date-time', readOnly: true },
      }),
      NoteList: object({ items: { type: 'array', items: { $ref: '#/components/schemas/Note' } } }),
      Error: object({ code: { type: 'string' }, message: { type: 'string' } }),
    },
  },
}

function object(properties: object, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', properties, required }
}

function page(item: string, place: 'page' | 'offset') {
  return object({
    items: { type: 'array', items: { $ref: `#/components/schemas/${item}` } },
    [place]: { type: 'integer' },
    limit: { type: 'integer' },
    total: { type: 'integer', description: 'How many there are on all pages.' },
  })
}

interface Rest {
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: object
}

function operation(operationId: string, summary: string, { responses, ...more }: Rest) {
  return { operationId, summary, ...more, responses: { ...responses, ...errors(401) } }
}

function action(operationId: string, summary: string) {
  return {
    parameters: [id('appointment_id')],
    post: operation(operationId, summary, { responses: { 200: of('Appointment'), ...errors(404, 409) } }),
  }
}

function of(schema: string, description = `${schema}.`) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
  return { description, content }
}

function body(schema: string) {
  return {
    required: true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  }
}

function errors(...statuses: readonly number[]): object {
  return Object.fromEntries(statuses.map((status) => [status, of('Error', MEANINGS[status])]))
}

function id(name: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

function query(name: string, schema: object) {
  return { name, in: 'query', schema }
}

function number(name: string, schema: object) {
  return query(name, { type: 'integer', ...schema })
}
