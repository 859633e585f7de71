import { expect, it } from 'vitest'
import { attackClient } from '../../scripts/attack.mjs'
import * as client from '../../src/index.ts'

it('sends nothing twice and believes nothing wrongly, however a server responds', async () => {
  const { sent, wrong } = await attackClient(client)
  expect(sent).toBeGreaterThan(10_000)
  expect(wrong).toEqual([])
})
