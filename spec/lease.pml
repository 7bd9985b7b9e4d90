/*
 * Several nodes, one store: a session moves between nodes, and its lease between workers. Spin (https://spinroot.com) tries every order of the
 * steps below, for 2 nodes, 2 workers with 3 messages each, and 2 viewers:
 *
 *   spin -a lease.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -E -m1000000
 *
 * These are 19 million states in 3 GB of memory; with `spin -a -DCLAIMS=2` they are 1.2 million. `spin -a -DFAULT` takes one protection away, and
 * Spin then has to find a broken promise. FAULT is one of NO_FENCE, LOAD_FIRST, KEEP_MEMORY, SAME_EPOCH, ACKNOWLEDGE_FIRST, SEND_FIRST,
 * KEEP_AFTER_LOSS. REACHES_END takes nothing away: the run in which everything arrives "breaks" it, which shows that the promises are not kept merely
 * because no run reaches its end.
 *
 * The model has no clock. A claim may run out at any moment, and a node may be stopped between any two steps and go on later: nothing here depends on
 * time. What is sent to the store may arrive late and in another order, also after its node was killed. An answer may be lost.
 */
#define NODES 2
#define WORKERS 2
#define VIEWERS 2
#define MESSAGES 3
/* How often the store gives a claim, and how often a worker takes the lease. */
#ifndef CLAIMS
#define CLAIMS 3
#endif
#ifndef LEASES
#define LEASES 2
#endif
#define ENTRIES 6 /* WORKERS * MESSAGES */
#define NOBODY 255
#define TAKE_LEASE 0

/* An entry of the log: the worker, and which of its messages. */
#define ENTRY(worker, message) ((worker) * 4 + (message))
#define WORKER_OF(entry) ((entry) / 4)
#define MESSAGE_OF(entry) ((entry) % 4)

/* --- the store --- */
byte stored[ENTRIES], storedLength;
byte storedLease; /* the epoch of the worker that has the lease */
byte claim; /* the epoch of the node that has the session; 0: nobody */
byte lastEpoch;
byte storedOf[WORKERS]; /* the last message of each worker: with it a promise is checked, no step reads it */

/* --- the nodes --- */
typedef Node {
  byte epoch; /* of its claim; 0: it has no claim, or knows that it has lost it */
  bool isLoaded;
  byte log[ENTRIES];
  byte length;
  byte lease;
  /* the request that it serves */
  byte worker; /* NOBODY: none */
  byte message; /* TAKE_LEASE, or the number of a message */
  byte under; /* the lease of the worker when it sent the request */
  bool isWriting;
  bool isStored; /* the answer of the store has arrived */
}
Node nodes[NODES];

/* A write: the claim under which it was sent, the worker, the message, and the lease. */
chan writes[NODES] = [2] of { byte, byte, byte, byte };

/* --- the clients --- */
byte lease[WORKERS]; /* 0: none */
byte sent[WORKERS]; /* how many messages were acknowledged */
bool isSuperseded[WORKERS];
byte seen[VIEWERS];

inline forget(n) {
  nodes[n].epoch = 0;
  nodes[n].isLoaded = false;
  nodes[n].length = 0;
  nodes[n].lease = 0;
  i = 0;
  do
  :: i < ENTRIES -> nodes[n].log[i] = 0; i++
  :: else -> break
  od;
  i = 0;
}

inline endRequest(n) {
  nodes[n].worker = NOBODY;
  nodes[n].message = 0;
  nodes[n].under = 0;
  nodes[n].isWriting = false;
  nodes[n].isStored = false;
}

inline load(n) {
  i = 0;
  do
  :: i < storedLength -> nodes[n].log[i] = stored[i]; i++
  :: else -> break
  od;
  i = 0;
  nodes[n].length = storedLength;
  nodes[n].lease = storedLease;
  nodes[n].isLoaded = true;
}

/* Whether a node has the message of its request in memory. */
inline lookUp(n) {
  isKnown = false;
  i = 0;
  do
  :: i < nodes[n].length ->
    if
    :: nodes[n].log[i] == ENTRY(nodes[n].worker, nodes[n].message) -> isKnown = true
    :: else
    fi;
    i++
  :: else -> break
  od;
  i = 0;
}

/* The worker of a request learns that its message is stored. */
inline acknowledge(n) {
  if
  :: sent[nodes[n].worker] + 1 == nodes[n].message ->
    /* What was acknowledged is kept. */
    assert(storedOf[nodes[n].worker] >= nodes[n].message);
    sent[nodes[n].worker]++
  :: else /* An answer to an earlier attempt. */
  fi;
}

proctype NodeProcess(byte n) {
  byte i;
  bool isKnown;
  do
  /* Whoever needs the session claims it: the claim of another node may have run out. The nodes are alike, so let the first one be the first. */
#ifdef LOAD_FIRST
  :: d_step { nodes[n].epoch == 0 && !nodes[n].isLoaded && nodes[n].worker != NOBODY && (lastEpoch > 0 || n == 0) -> load(n) }
#define MAY_CLAIM nodes[n].isLoaded
#else
  :: d_step { nodes[n].epoch != 0 && !nodes[n].isLoaded -> load(n) }
#define MAY_CLAIM nodes[n].worker != NOBODY
#endif
  :: d_step { nodes[n].epoch == 0 && MAY_CLAIM && lastEpoch < CLAIMS && (lastEpoch > 0 || n == 0) ->
#ifdef SAME_EPOCH
      if
      :: claim == 0 -> lastEpoch++
      :: else
      fi;
#else
      lastEpoch++;
#endif
      claim = lastEpoch;
      nodes[n].epoch = claim
    }

  /* A request of a worker that no longer has the lease is refused. */
  :: d_step { nodes[n].epoch != 0 && nodes[n].isLoaded && nodes[n].worker != NOBODY && !nodes[n].isWriting && nodes[n].message != TAKE_LEASE &&
        nodes[n].under != nodes[n].lease ->
      isSuperseded[nodes[n].worker] = true;
      endRequest(n)
    }
  /* A known message is acknowledged again and not stored again; an unknown one is sent to the store. */
  :: d_step { nodes[n].epoch != 0 && nodes[n].isLoaded && nodes[n].worker != NOBODY && !nodes[n].isWriting && nodes[n].message != TAKE_LEASE &&
        nodes[n].under == nodes[n].lease && nfull(writes[n]) ->
      lookUp(n);
      if
      :: isKnown -> acknowledge(n); endRequest(n)
      :: else ->
        writes[n]!nodes[n].epoch, nodes[n].worker, nodes[n].message, nodes[n].under;
#ifdef ACKNOWLEDGE_FIRST
        acknowledge(n);
#endif
#ifdef SEND_FIRST
        nodes[n].log[nodes[n].length] = ENTRY(nodes[n].worker, nodes[n].message);
        nodes[n].length++;
#endif
        nodes[n].isWriting = true
      fi;
      isKnown = false
    }
  :: d_step { nodes[n].epoch != 0 && nodes[n].isLoaded && nodes[n].worker != NOBODY && !nodes[n].isWriting && nodes[n].message == TAKE_LEASE &&
        nodes[n].lease < LEASES && nfull(writes[n]) ->
      writes[n]!nodes[n].epoch, nodes[n].worker, TAKE_LEASE, nodes[n].lease + 1;
      nodes[n].isWriting = true
    }

  /* The answer of the store. */
  :: d_step { nodes[n].isStored ->
      if
      :: nodes[n].message == TAKE_LEASE ->
        nodes[n].lease++;
        lease[nodes[n].worker] = nodes[n].lease
      :: else ->
#ifndef SEND_FIRST
        nodes[n].log[nodes[n].length] = ENTRY(nodes[n].worker, nodes[n].message);
        nodes[n].length++;
#endif
        acknowledge(n)
      fi;
      endRequest(n)
    }
#ifdef KEEP_AFTER_LOSS
  /* The answer is lost. A correct node forgets the session then, as when it is killed. */
  :: d_step { nodes[n].isStored -> endRequest(n) }
#endif

  /* It is killed, and starts again: what it has sent is still on its way. */
  :: d_step { nodes[n].epoch != 0 ->
      endRequest(n);
#ifdef KEEP_MEMORY
      nodes[n].epoch = 0;
#else
      forget(n)
#endif
    }
  /* It cannot serve the request now, and the worker tries again. */
  :: d_step { nodes[n].worker != NOBODY && nodes[n].epoch == 0 -> endRequest(n) }
  od
}

/* The writes arrive at the store, in any order, and each is stored or refused in one step. */
proctype Store(byte n) {
  byte epoch, worker, message, under, i;
  do
  :: atomic {
      if
      :: writes[n]?epoch, worker, message, under
      /* The second one comes first. */
      :: len(writes[n]) == 2 ->
        writes[n]?epoch, worker, message, under;
        writes[n]!epoch, worker, message, under;
        writes[n]?epoch, worker, message, under
      fi;
      d_step {
        if
#ifdef NO_FENCE
        :: true ->
#else
        :: epoch == claim ->
#endif
          if
          :: message == TAKE_LEASE ->
            /* Every lease has a higher epoch. */
            assert(under > storedLease);
            storedLease = under
          :: else ->
            /* Nothing is doubled or left out, and the messages of a worker keep their order. */
            assert(message == storedOf[worker] + 1);
            /* Nothing of a worker that has lost the lease. */
            assert(under == storedLease);
            stored[storedLength] = ENTRY(worker, message);
            storedLength++;
            storedOf[worker] = message
          fi;
          /* Nobody waits for the answer to a write of an earlier claim. */
          if
          :: nodes[n].isWriting && nodes[n].epoch == epoch -> nodes[n].isStored = true
          :: else
          fi
        :: else ->
          /* The node learns that it has lost the session. That it may learn it later is the same as a write that arrives later. */
          if
          :: nodes[n].isWriting && nodes[n].epoch == epoch -> endRequest(n); forget(n)
          :: else
          fi
        fi;
        epoch = 0; worker = 0; message = 0; under = 0
      }
    }
  od
}

/* A worker takes the lease, and sends its messages in order, again and again to any node, until each is acknowledged. */
proctype Worker(byte w) {
  byte n;
  do
  :: d_step { lease[w] == 0 && nodes[0].worker == NOBODY -> nodes[0].worker = w; nodes[0].message = TAKE_LEASE }
  :: d_step { lease[w] == 0 && nodes[1].worker == NOBODY -> nodes[1].worker = w; nodes[1].message = TAKE_LEASE }
  :: d_step { lease[w] != 0 && sent[w] < MESSAGES && !isSuperseded[w] && nodes[0].worker == NOBODY ->
      nodes[0].worker = w; nodes[0].message = sent[w] + 1; nodes[0].under = lease[w] }
  :: d_step { lease[w] != 0 && sent[w] < MESSAGES && !isSuperseded[w] && nodes[1].worker == NOBODY ->
      nodes[1].worker = w; nodes[1].message = sent[w] + 1; nodes[1].under = lease[w] }
  od
}

/* A viewer reads on from its cursor at any node that has the session, or thinks so. */
proctype Viewer(byte v) {
  byte n;
  do
  :: d_step { nodes[0].isLoaded && nodes[0].length > seen[v] && (v == 0 || seen[1] < seen[0]) ->
      /* What a viewer sees is the log: nothing else, nothing twice, nothing left out. */
      assert(seen[v] < storedLength && nodes[0].log[seen[v]] == stored[seen[v]]);
      seen[v]++ }
  :: d_step { nodes[1].isLoaded && nodes[1].length > seen[v] && (v == 0 || seen[1] < seen[0]) ->
      assert(seen[v] < storedLength && nodes[1].log[seen[v]] == stored[seen[v]]);
      seen[v]++ }
#ifdef REACHES_END
  :: d_step { seen[0] == ENTRIES && seen[1] == ENTRIES -> assert(false) }
#endif
  od
}

init {
  atomic {
    nodes[0].worker = NOBODY;
    nodes[1].worker = NOBODY;
    run NodeProcess(0); run NodeProcess(1);
    run Store(0); run Store(1);
    run Worker(0); run Worker(1);
    run Viewer(0); run Viewer(1)
  }
}
