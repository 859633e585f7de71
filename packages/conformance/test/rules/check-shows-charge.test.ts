import { expect, test } from 'vitest'
import { found, HELD } from './held.ts'
import { runOf } from './relayed.ts'

const run = runOf('check-shows-charge')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds another beneficiary', async () => {
  expect(await run('beneficiary-of-a-check-another')).toEqual(found('failure check-shows-charge checkCode'))
})

test('finds no message', async () => {
  expect(await run('check-without-message')).toEqual(found('failure check-shows-charge checkCode'))
})

test('finds another due date', async () => {
  expect(await run('check-of-another-due-date')).toEqual(found('failure check-shows-charge checkCode'))
})

test('finds another end', async () => {
  expect(await run('check-expires-later')).toEqual(found('deviation check-shows-charge checkCode'))
})

test('finds the charge before', async () => {
  expect(await run('code-of-the-charge-before')).toEqual(found('failure check-shows-charge checkCode'))
})
