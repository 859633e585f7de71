import type { Service } from '../in-process-transport.ts'
import { body, errors, object, parameter, responseOf } from './todos-contract.ts'

const TEXT = { type: 'string', minLength: 1, maxLength: 40 }
const NOTE = { text: TEXT, mood: { enum: ['glad', 'sad'] } }
const noteId = { parameters: [parameter('noteId', 'path')] }

/**
 * A contract of notes with other conventions: sub-resources precede their parents, PUT creates missing records,
 * deletions may be repeated, jobs are accepted and done later, and an empty list is null.
 */
export const notes = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1.0.0' },
  security: [{ token: [] }],
  paths: {
    '/notes/{noteId}/comments': {
      ...noteId,
      get: { operationId: 'comments', responses: { 200: responseOf('Comments'), ...errors(401) } },
      delete: {
        operationId: 'clearComments',
        responses: { 204: { description: 'Cleared.' }, ...errors(401) },
      },
    },
    '/notes': {
      get: { operationId: 'notes', responses: { 200: responseOf('Notes'), ...errors(401) } },
      post: {
        operationId: 'addNote',
        requestBody: body('NewNote', { text: 'Buy bread', mood: 'glad' }),
        responses: { 201: responseOf('Note'), ...errors(400, 401) },
      },
    },
    '/notes/{noteId}': {
      ...noteId,
      get: { operationId: 'showNote', responses: { 200: responseOf('Note'), ...errors(401, 404) } },
      put: {
        operationId: 'putNote',
        requestBody: body('NewNote', { text: 'Buy milk', mood: 'sad' }),
        responses: { 200: responseOf('Note'), 201: responseOf('Note', 'It was made.'), ...errors(400, 401) },
      },
      delete: { operationId: 'removeNote', responses: { 204: { description: 'Removed.' }, ...errors(401) } },
    },
    '/jobs': {
      get: { operationId: 'jobs', responses: { 200: responseOf('Jobs'), ...errors(401) } },
      post: {
        operationId: 'addJob',
        requestBody: body('NewJob', { kind: 'backup' }),
        responses: { 202: responseOf('Job'), ...errors(400, 401) },
      },
    },
    '/jobs/{id}': {
      parameters: [parameter('id', 'path')],
      get: { operationId: 'showJob', responses: { 200: responseOf('Job'), ...errors(401, 404) } },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      NewNote: object(NOTE),
      Note: object({ noteId: { type: 'string' }, ...NOTE }),
      Notes: { type: ['array', 'null'], items: { $ref: '#/components/schemas/Note' } },
      Comments: { type: ['array', 'null'], items: object({ text: TEXT }) },
      NewJob: object({ kind: TEXT }),
      Job: object({ id: { type: 'string' }, kind: TEXT }),
      Jobs: { type: 'array', items: { $ref: '#/components/schemas/Job' } },
      Error: object({ error: { type: 'string' } }),
    },
  },
}

type Row = Readonly<Record<string, unknown>>

/** Adds the remaining operations to a service of plain rows, which checks the credentials. */
export function withNotes(rows: Service): Service {
  const kept = new Map<string, Map<string, Row>>()
  let last = 0

  function done(request: Request, made: Row): Response {
    const who = request.headers.get('authorization')?.toLowerCase() ?? ''
    const mine = kept.get(who) ?? new Map<string, Row>()
    kept.set(who, mine)
    const [, , noteId = '', more] = new URL(request.url).pathname.split('/').map(decodeURIComponent)
    if (more !== undefined) return request.method === 'DELETE' ? none(204) : Response.json(null)
    const isRead = /^(GET|HEAD)$/.test(request.method)
    if (request.method === 'DELETE') {
      mine.delete(noteId)
      return none(204)
    }
    if (isRead && noteId === '') return Response.json(mine.size > 0 ? [...mine.values()] : null)
    if (isRead) return shown(mine.get(noteId))
    const id = noteId || `note-${++last}`
    const status = mine.has(id) ? 200 : 201
    mine.set(id, { noteId: id, text: made.text, mood: made.mood })
    return Response.json(mine.get(id), { status })
  }

  return async (request) => {
    const copy = request.clone()
    const { pathname } = new URL(request.url)
    const response = await rows(request)
    if (pathname.startsWith('/jobs/') && response.ok) return shown(undefined)
    if (pathname === '/jobs' && response.status === 200) return Response.json([])
    if (pathname === '/jobs' && response.status === 201) {
      const job = (await response.json()) as Row
      return Response.json({ id: String(job.id), kind: job.kind }, { status: 202 })
    }
    if (!pathname.startsWith('/notes') || [400, 401, 405, 415].includes(response.status)) return response
    const text = await copy.text()
    return done(copy, text === '' ? {} : JSON.parse(text))
  }
}

function none(status: number): Response {
  return new Response(null, { status })
}

function shown(note: Row | undefined): Response {
  return note ? Response.json(note) : Response.json({ error: 'there is none' }, { status: 404 })
}
