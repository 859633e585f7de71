import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

it('validates 400 parameters in 24 MB', async () => {
  const parameters = Array.from({ length: 400 }, (_, i) => ({
    name: `p${i}`,
    in: 'query',
    schema: { type: 'integer', minimum: i },
  }))
  const document = { openapi: '3.1.0', paths: { '/it': { get: { parameters } } } }
  const query = parameters.map(({ name }) => `${name}=x`).join('&')
  expect(await isJudgedIn(24, { document, query })).toBe(true)
})

/** Whether the parameters of a document can be validated in the given memory. */
function isJudgedIn(maxOldGenerationSizeMb: number, workerData: object): Promise<boolean> {
  const worker = new Worker(new URL('large.worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb },
  })
  return new Promise((resolve, reject) => {
    worker.on('exit', (code) => resolve(code === 0))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(false)
      else reject(error)
    })
  })
}
