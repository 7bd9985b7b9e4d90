#!/usr/bin/env node
// Only this workspace uses this file, because the build may run after the install. The published package names the built file itself.
import '../dist/main.js';
