import { expect, test } from 'vitest'
import { judged } from './check-service.ts'
import {
  bodyOf,
  contractOf,
  createContractService,
  json,
  object,
  operation,
  response,
  taking,
} from './contract-service.ts'

const job = object({ id: { type: 'string' }, name: { type: 'string', minLength: 1, maxLength: 20 } })
const NEW = bodyOf(object({ name: { type: 'string', minLength: 1, maxLength: 20 } }), { name: 'Report' })
const one = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] }

const jobs = contractOf({
  '/jobs': { post: taking(NEW, 'addJob', { '2XX': response(job) }, 400, 415) },
  '/jobs/{id}': {
    ...one,
    get: operation('showJob', { default: response(job) }, 404),
    // The deletion may be immediate or deferred.
    delete: operation('removeJob', { 202: { description: 'Soon.' }, 204: { description: 'Gone.' } }, 404),
  },
  '/login': { get: { operationId: 'login', responses: { 302: { description: 'To the page for people.' } } } },
})

function jobService({ created = 201, removed = 204 } = {}) {
  const rows = new Map<string, object>()
  let last = 0
  return createContractService(jobs, {
    addJob({ body }) {
      const row = { id: `job_${++last}`, name: body.name }
      rows.set(row.id, row)
      return json(created, row)
    },
    showJob: ({ path }) => {
      const row = rows.get(path.id ?? '')
      return row ? json(200, row) : json(404, { error: 'none' })
    },
    removeJob: ({ path }) =>
      rows.delete(path.id ?? '') ? new Response(null, { status: removed }) : json(404, { error: 'none' }),
    login: () => new Response(null, { status: 302, headers: { location: '/' } }),
  })
}

test.each([{}, { created: 200, removed: 202 }, { created: 202 }])(
  'takes any success that is declared for one: %j',
  async (options) => {
    const { found, unseen, coverage, lines } = await judged(jobs, jobService(options))
    expect({ found, unseen }).toEqual({ found: [], unseen: ['login'] })
    const rows = coverage.rows.filter(({ status, seen }) => /^(2XX|default)$/.test(status) && seen > 0)
    expect(rows.map(({ operation }) => operation)).toEqual(['addJob', 'showJob'])
    expect(lines.some((it) => it.startsWith('DELETE /jobs/job_'))).toBe(true)
  },
)

test('finds an undeclared success status', async () => {
  const { brokenRules } = await judged(jobs, jobService({ removed: 200 }))
  expect(brokenRules).toContain('response-status-declared removeJob')
})

test('removes the records it created on a live service, whatever their success status', async () => {
  const service = jobService({ created: 202, removed: 202 })
  const { found, lines } = await judged(jobs, service, { target: 'live' })
  expect(found).toEqual([])
  const made = lines.filter((it) => it === 'POST /jobs').length
  expect(made).toBeGreaterThan(0)
  expect(lines.filter((it) => it.startsWith('DELETE /jobs/job_')).length).toBeGreaterThan(0)
})

test('reports an operation without a declared success as inconclusive', async () => {
  const { rule } = await judged(jobs, jobService(), { only: ['example-accepted'] })
  expect(rule('example-accepted')).toMatchObject({ status: 'passed', inconclusive: 1 })
})
