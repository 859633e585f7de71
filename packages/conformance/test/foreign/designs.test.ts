import { expect, test } from 'vitest'
import { check } from '../../src/check.ts'
import { createFetchTransport } from '../../src/transport/fetch-transport.ts'

// Correct services of designs that are common, which the rules of records and lists must not take for faults.

type Thing = Record<string, unknown> & { readonly id: string | number }
type Things = Map<string, Thing>

interface Design {
  /** Schemas of the fields besides `id`, in responses and in requests. */
  readonly fields?: Readonly<Record<string, object>>
  readonly sent?: Readonly<Record<string, object>>
  readonly idSchema?: object
  /** A new record. */
  readonly made?: (body: Record<string, unknown>, things: Things) => Omit<Thing, 'id'> & { id?: Thing['id'] }
  /** An action below a record: its path, its status, and what it does; undefined conflicts with the state. */
  readonly action?: readonly [
    name: string,
    status: number,
    run: (it: Thing, things: Things) => object | undefined,
  ]
  readonly canDelete?: (it: Thing) => boolean
  readonly isListed?: (it: Thing) => boolean
  readonly isHidden?: (it: Thing) => boolean
  /** The envelope of a list. */
  readonly listed?: (all: readonly Thing[]) => object
}

const STRING = { type: 'string' }
const NAME = { type: 'string', minLength: 1, maxLength: 40 }

const DESIGNS: Readonly<Record<string, Design>> = {
  'ids that count': {
    idSchema: { type: 'integer', readOnly: true },
    made: (_, things) => ({ id: things.size + 1 }),
  },
  'a read-only time of the last change': {
    fields: { updated_at: { type: 'string', format: 'date-time', readOnly: true } },
    made: () => ({ updated_at: new Date().toISOString() }),
  },
  'drafts alone that can be deleted': {
    action: ['finalize', 200, (it) => changed(it, { status: 'final' })],
    canDelete: ({ status }) => status === 'draft',
  },
  'an action that creates a copy': {
    action: ['duplicate', 201, (it, things) => added(things, { ...it, id: crypto.randomUUID() })],
  },
  'one record of all that is the default': {
    fields: { is_default: { type: 'boolean' } },
    made: (_, { size }) => ({ is_default: size === 0 }),
    action: [
      'default',
      200,
      (it, things) => {
        for (const other of things.values()) changed(other, { is_default: other === it })
        return it
      },
    ],
  },
  'an action that is done later': {
    action: ['start', 202, (it) => ({ ...changed(it, { status: 'running' }), status: 'starting' })],
  },
  'an action after which the record is gone': {
    action: [
      'revoke',
      200,
      (it, things) => {
        things.delete(String(it.id))
        return { ...it, status: 'revoked' }
      },
    ],
  },
  'a lifetime of zero': {
    sent: { ttl: { type: 'integer', minimum: 0, maximum: 86_400 } },
    isHidden: ({ ttl }) => ttl === 0,
  },
  'a list without archived records': {
    sent: { archived: { type: 'boolean', default: false } },
    isListed: ({ archived }) => archived !== true,
  },
  'addresses in lower case': {
    sent: { email: { type: 'string', format: 'email', maxLength: 60 } },
    made: ({ email }) => ({ email: String(email ?? '').toLowerCase() }),
  },
  'a list in an envelope with errors': {
    listed: (all) => ({ errors: [], result: all, result_info: { total_count: all.length } }),
  },
  'a total of prices': { listed: (all) => ({ items: all, total: 129.9 }) },
}

test.each(Object.entries(DESIGNS))('finds no failure in %s', async (_, design) => {
  const { findings, rules } = await check({
    contract: contractOf(design),
    url: 'http://127.0.0.1',
    target: 'sandbox',
    transport: createFetchTransport(serviceOf(design)),
    only: ['record-shown', 'record-changes', 'list-pages'],
    timeMs: 100,
  })
  expect(findings.filter(({ kind }) => kind === 'failure')).toEqual([])
  expect(rules.find(({ rule }) => rule === 'record-changes')?.status).not.toBe('not-assessed')
})

function changed(it: Thing, values: object): Thing {
  return Object.assign(it, values)
}

function added(things: Things, it: Thing): Thing {
  things.set(String(it.id), it)
  return it
}

function contractOf({ fields = {}, sent = {}, idSchema = STRING, action, listed }: Design): object {
  const thing = object({ id: idSchema, name: STRING, status: STRING, ...fields, ...sent })
  const one = [{ name: 'id', in: 'path', required: true, schema: STRING }]
  const [name, status = 200] = action ?? []
  const list = listed?.([]) ?? []
  const items = Object.entries(list).map(([key, it]) => [
    key,
    Array.isArray(it) ? arrayOf(key === 'errors' ? {} : thing) : {},
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        get: operation(
          'listThings',
          200,
          Array.isArray(list) ? arrayOf(thing) : object(Object.fromEntries(items)),
        ),
        post: {
          ...operation('createThing', 201, thing),
          requestBody: body({ ...object({ name: NAME, ...sent }), required: ['name'] }),
        },
      },
      '/things/{id}': {
        parameters: one,
        get: operation('getThing', 200, thing),
        patch: { ...operation('changeThing', 200, thing), requestBody: body(object({ name: NAME })) },
        delete: operation('deleteThing', 204),
      },
      ...(name && {
        [`/things/{id}/${name}`]: { parameters: one, post: operation('actOnThing', status, thing) },
      }),
    },
  }
}

function object(properties: object): object {
  return { type: 'object', properties }
}

function arrayOf(items: object): object {
  return { type: 'array', items }
}

function body(schema: object): object {
  return { required: true, content: { 'application/json': { schema } } }
}

function operation(operationId: string, status: number, schema?: object): object {
  const content = schema && { content: { 'application/json': { schema } } }
  const refused = [400, 404, 409].map((it) => [it, { description: 'Refused.' }])
  return {
    operationId,
    responses: { [status]: { description: 'Done.', ...content }, ...Object.fromEntries(refused) },
  }
}

function serviceOf(design: Design): (request: Request) => Promise<Response> {
  const {
    made = () => ({}),
    action,
    canDelete = () => true,
    isListed = () => true,
    isHidden = () => false,
  } = design
  const things: Things = new Map()
  const shown = (it: Thing | undefined) => (it && !isHidden(it) ? json(200, it) : json(404))
  return async (request) => {
    const [, , id, below] = new URL(request.url).pathname.split('/')
    const sent = await bodyOf(request)
    const it = things.get(String(id))
    if (id === undefined && request.method === 'GET') {
      const all = [...things.values()].filter((one) => isListed(one) && !isHidden(one)).toReversed()
      return json(200, design.listed?.(all) ?? all)
    }
    if (
      ['POST', 'PATCH'].includes(request.method) &&
      below === undefined &&
      !isValid(sent, id === undefined, design)
    )
      return json(400)
    if (id === undefined)
      return json(
        201,
        added(things, { id: crypto.randomUUID(), status: 'draft', ...sent, ...made(sent, things) }),
      )
    if (!it || request.method === 'GET') return below ? json(404) : shown(it)
    if (request.method === 'PATCH')
      return json(200, changed(it, { ...sent, ...('updated_at' in it && made(sent, things)) }))
    if (request.method === 'DELETE') {
      if (canDelete(it)) things.delete(String(id))
      return json(canDelete(it) ? 204 : 409)
    }
    const done = below === action?.[0] ? action?.[2](it, things) : undefined
    return done ? json(action?.[1] ?? 200, done) : json(409)
  }
}

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  try {
    return (await request.json()) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Whether a body matches the schemas of the design, as far as the checker breaks them. */
function isValid(sent: Record<string, unknown>, isNew: boolean, { sent: schemas = {} }: Design): boolean {
  const { name = isNew ? undefined : 'unchanged' } = sent
  const isNamed = typeof name === 'string' && name.length > 0 && [...name].length <= 40
  return isNamed && Object.entries(schemas).every(([field, schema]) => isOfType(sent[field], schema))
}

function isOfType(value: unknown, schema: { readonly type?: unknown }): boolean {
  if (value === undefined) return true
  return schema.type === 'integer' ? Number.isInteger(value) : typeof value === schema.type
}

function json(status: number, value?: unknown): Response {
  const headers = { 'content-type': 'application/json' }
  return value === undefined
    ? new Response(null, { status })
    : new Response(JSON.stringify(value), { status, headers })
}
