import type { Context } from '../context.ts'
import { refuse } from '../problems.ts'

/**
 * Refuses a URL that is not allowed for deliveries.
 *
 * @throws {Refusal} `url_not_allowed`
 */
export async function admit({ checkTarget }: Context, url: string): Promise<void> {
  const refused = await checkTarget(url)
  if (refused) refuse('url_not_allowed', '/url', refused.detail)
}
