import { Hono } from 'hono'
import type { Worker } from '../due/worker.ts'
import { reconcile } from '../ledger/reconcile.ts'
import { createProblemResponse, Refusal } from '../problems.ts'
import { alphanumeric } from '../random.ts'
import { listRejectingValues } from '../transfers/rejections.ts'
import { describeSandbox } from './about.ts'
import { ADVANCE_MS, describeClock, type LimitOf, setClock } from './clock.ts'
import { RECEIVER, receive, redeliver } from './deliveries.ts'
import { eventById, lastEvents, withExchanges } from './events.ts'
import { showExchange } from './exchanges.ts'
import { readControlBody, readLimit } from './input.ts'
import { addKey } from './keys.ts'
import { deposit, payFromOutside } from './pay.ts'
import { resetState } from './reset.ts'
import { sendSample } from './sample-event.ts'
import { readState, type StateSources } from './state.ts'
import type { Streams } from './streams.ts'
import { setValueChange } from './value-change.ts'

export interface Control extends StateSources {
  readonly worker: Worker
  readonly streams: Streams
  readonly limitOf: LimitOf
}

/** The control API below `/_sandbox`: shows testers the state of a sandbox, and changes it. */
export function createControl(control: Control): Hono {
  const app = new Hono()
  const { random } = control.context
  app.onError((error) => createProblemResponse(error, `req_${alphanumeric(random, 20)}`))
  app.use(async (c, next) => {
    // The control API asks for no credentials, so another site must not use it by a browser.
    requireSameOrigin(c.req.raw)
    refuseDelivery(c.req.raw)
    await next()
    for (const [name, value] of HEADERS) c.res.headers.set(name, value)
    // Every other method may have changed something that an open page shows.
    if (c.req.method !== 'GET') control.streams.announce()
  })
  addViews(app, control)
  addActions(app, control)
  addFaults(app, control)
  return app
}

/** Other sites may not read the responses, and nothing may cache them. */
const HEADERS = [
  ['cache-control', 'no-store'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
] as const

/** Adds the routes that show testers something and change nothing. */
function addViews(app: Hono, control: Control): void {
  const { clock, recorder, streams } = control
  const { store } = control.context
  // One check at a time, since it stops all writing meanwhile.
  const inTurn = createQueue()
  app.get('/state', async (c) => c.json(await readState(control)))
  app.get('/stream', () => streams.open())
  app.get('/requests/:id', (c) => c.json(showExchange(recorder, c.req.param('id'))))
  app.get('/about', async (c) => c.json(await describeSandbox(control, c.req.raw)))
  app.get('/clock', (c) => c.json(describeClock(clock)))
  app.get('/magic', (c) => c.json(listRejectingValues()))
  app.get('/reconcile', async (c) => {
    const findings = await inTurn(() => store.alone(reconcile))
    return c.json({ findings })
  })
  app.get('/events', async (c) => {
    const limit = readLimit(c.req.raw)
    const data = await store.read((queries) => lastEvents(queries, limit))
    return c.json({ data })
  })
  app.get('/events/:id', async (c) => {
    const event = await store.read((queries) => eventById(queries, c.req.param('id')))
    return c.json(await withExchanges(event, recorder))
  })
}

/** Adds the routes by which testers change something, such as the clock or a balance. */
function addActions(app: Hono, control: Control): void {
  const { clock, context, recorder, faults, limitOf } = control
  const inTurn = createQueue()
  app.post('/clock', async (c) => {
    const body = await readControlBody(c.req.raw, '/clock')
    // Start the limit with the request. Otherwise requests that arrive together would wait for each
    // other's limits.
    const limit = limitOf(ADVANCE_MS)
    await inTurn(() => setClock(control, body, limit))
    return c.json(describeClock(clock))
  })
  app.post('/reset', async (c) => {
    await inTurn(() => resetState(control))
    recorder.clear()
    faults.clear()
    return c.body(null, 204)
  })
  app.post('/accounts/:id/deposit', async (c) => {
    const { amount } = await readControlBody(c.req.raw, '/accounts/{id}/deposit')
    return c.json(await deposit(context, c.req.param('id'), amount), 201)
  })
  app.post('/qrcodes/:id/pay', async (c) => {
    const paid = await payFromOutside(context, c.req.param('id'))
    return c.json(paid)
  })
  app.patch('/qrcodes/:id', async (c) => {
    const { allow_value_change } = await readControlBody(c.req.raw, '/qrcodes/{id}')
    return c.json(await setValueChange(context, c.req.param('id'), allow_value_change))
  })
  app.post('/keys', async (c) => {
    const body = await readControlBody(c.req.raw, '/keys')
    return c.json(await addKey(context, body), 201)
  })
  app.post('/receiver', async (c) => {
    const { status, body } = await receive(context, c.req.raw)
    return c.json(body, status)
  })
  app.post('/events/:type', async (c) => {
    const sent = await sendSample(context, c.req.param('type'))
    return c.json(sent, 202)
  })
  app.post('/deliveries/redeliver', async (c) => {
    const body = await readControlBody(c.req.raw, '/deliveries/redeliver')
    return c.json(await redeliver(context, body), 202)
  })
}

/**
 * Adds the routes that list, add and remove fault rules. A fault rule makes the next requests fail,
 * or slows them down, so that testers see how their program reacts.
 */
function addFaults(app: Hono, { faults }: Control): void {
  app.get('/faults', (c) => c.json({ data: faults.list() }))
  app.post('/faults', async (c) => {
    const body = await readControlBody(c.req.raw, '/faults')
    return c.json(faults.add(body), 201)
  })
  app.delete('/faults/:id', (c) => {
    faults.remove(c.req.param('id'))
    return c.body(null, 204)
  })
}

/**
 * Throws the refusal of a request that a page of another site makes a browser send. Its Origin
 * header differs from ours (RFC 6454, section 7). Browsers send GET requests, such as those for
 * images, without Origin, but with Sec-Fetch-Site (Fetch Metadata, section 2.4). Programs send
 * neither.
 */
function requireSameOrigin({ url, headers }: Request): void {
  const ownOrigin = new URL(url).origin
  const origin = headers.get('origin') ?? ownOrigin
  if (origin !== ownOrigin) forbid('The origin must be that of the sandbox.')

  const site = headers.get('sec-fetch-site') ?? 'none'
  if (!TRUSTED_SITES.has(site)) forbid('The request must not come from a page of another origin.')
}

/**
 * Refuses a delivery, except to the receiver. A webhook to the control API would reset the sandbox,
 * or pay a code with each event, of which each payment sends the next one.
 */
function refuseDelivery({ url, headers }: Request): void {
  const isDelivery = headers.has('webhook-id')
  if (isDelivery && new URL(url).pathname !== RECEIVER) forbid(`Send deliveries to ${RECEIVER}.`)
}

/** Values of Sec-Fetch-Site that another site cannot cause. */
const TRUSTED_SITES = new Set([
  'same-origin', // the page of the sandbox sent the request
  'none', // a person typed the address
])

function forbid(detail: string): never {
  throw new Refusal('invalid_request', { status: 403, detail })
}

/** Maximum number of waiting jobs. */
const MAX_WAITING = 100

/**
 * Returns a function that runs jobs one after the other, such as two advances of the clock, and
 * resolves with the value of the job.
 *
 * @throws {Refusal} (the function) if too many jobs wait already
 */
function createQueue() {
  let lastJob: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= MAX_WAITING) {
      throw new Refusal('unavailable', { detail: 'Too many requests are already waiting.' })
    }

    waiting++
    const turn = lastJob.then(work).finally(() => {
      waiting--
    })
    lastJob = turn.catch(() => {})
    return turn
  }
}
