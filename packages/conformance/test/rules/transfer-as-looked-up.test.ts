import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('transfer-as-looked-up')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a code that is called a key', async () => {
  expect(await run('every-transfer-called-dict')).toEqual(
    found('deviation transfer-as-looked-up createTransfer'),
  )
})

test('finds a dynamic code that is called static', async () => {
  expect(await run('dynamic-called-static')).toEqual(found('deviation transfer-as-looked-up createTransfer'))
})

test('finds a tx_id that is lost', async () => {
  expect(await run('tx-id-of-transfer-lost')).toEqual(found('deviation transfer-as-looked-up createTransfer'))
})

test('finds a beneficiary who is somebody else', async () => {
  expect(await run('beneficiary-is-the-payer')).toEqual(found('failure transfer-as-looked-up createTransfer'))
})
