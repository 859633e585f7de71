import { testGenerated } from '../../generate/schema/arbitraries.ts'

testGenerated(100)
