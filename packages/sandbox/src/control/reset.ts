import type { Sandbox } from '../sandbox.ts'
import { reset } from '../seed/seed.ts'

/** Empties the state and writes the world anew, once nothing is under way. The clock stays where it is. */
export async function resetWorld({ context, store, worker }: Sandbox): Promise<void> {
  await worker.idle()
  await store.write((queries) => reset(queries, context))
  worker.poke()
}
