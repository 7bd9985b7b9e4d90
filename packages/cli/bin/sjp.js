#!/usr/bin/env node
// For this workspace, where the build may come after the install. What is published names the built file itself.
import '../dist/main.js';
