import { expect, it } from 'vitest'
import { commands, expectPrinted, useGuide } from './guide.ts'

useGuide()

it('prints what the guide shows for its first check', () => expectPrinted(commands[0] ?? expect.fail()))
