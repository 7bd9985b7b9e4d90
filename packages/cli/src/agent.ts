#!/usr/bin/env node
import { runHeadless } from '@proto/headless';
import { runTurn } from '@proto/reference-agent';

await runHeadless({ runTurn, name: 'sjp-agent' });
