import type { OperationId } from '../src/contract.ts'
import { type Asked, type Example, json, type Send } from './contract.ts'

/** Creates what an example needs: existing records and one-time values. */
export async function prepare(send: Send, { id, body }: Example): Promise<Asked> {
  return { body, ...(await PREPARATIONS[id]?.(send, body ?? {})) }
}

type Preparation = (send: Send, body: Record<string, unknown>) => Promise<Asked>

const unusedTxId: Preparation = async (_, body) => ({ body: { ...body, tx_id: newTxId() } })
const ofWebhook: Preparation = async (send) => ({ path: { webhook_id: await newWebhook(send) } })

const PREPARATIONS: Partial<Record<OperationId, Preparation>> = {
  createTransfer: lookUp,
  createDueDateQrCode: unusedTxId,
  createImmediateQrCode: unusedTxId,
  cancelDueDateQrCode: async (send) => ({ path: { id: await newQrCode(send, 'createDueDateQrCode') } }),
  cancelImmediateQrCode: async (send) => ({ path: { id: await newQrCode(send, 'createImmediateQrCode') } }),
  getUser: async (send) => ({ path: { user_id: await firstUser(send) } }),
  getWebhook: ofWebhook,
  updateWebhook: ofWebhook,
  deleteWebhook: ofWebhook,
  rotateWebhookSecret: ofWebhook,
}

/** A new tx_id. */
export function newTxId(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/** Adds a fresh initiation id to a transfer to a key. */
async function lookUp(send: Send, body: Record<string, unknown>): Promise<Asked> {
  if (body.type !== 'dict') return {}
  const { initiation_id } = await json(await send('checkKey', { body: { dict_key: body.dict_key } }))
  return { body: { ...body, initiation_id } }
}

async function newQrCode(send: Send, id: 'createDueDateQrCode' | 'createImmediateQrCode'): Promise<string> {
  const calendar = id === 'createDueDateQrCode' ? { due_date: '2027-01-15' } : {}
  const body = { dict_key: '12ABC34501DE35', tx_id: newTxId(), amount: { original: '10.00' }, calendar }
  return String((await json(await send(id, { body }))).id)
}

async function newWebhook(send: Send): Promise<string> {
  const body = { type: 'all', url: 'https://partner.example.com/pix/events' }
  return String((await json(await send('createWebhook', { body }))).id)
}

async function firstUser(send: Send): Promise<string> {
  const { users } = (await json(await send('listUsers'))) as { users?: { id: string }[] }
  return users?.[0]?.id ?? ''
}
