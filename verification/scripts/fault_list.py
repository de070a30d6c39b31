"""All seeded faults, in an order that gives each its number."""

import faults_batch
import faults_contact
import faults_equation
import faults_event
import faults_lanes
import faults_links
import faults_loop
import faults_memory
import faults_readers
import faults_resume
import faults_statistics
import faults_structure
import faults_trust
import faults_writers

FAULTS = (faults_loop.FAULTS + faults_equation.FAULTS + faults_contact.FAULTS + faults_links.FAULTS
          + faults_event.FAULTS + faults_lanes.FAULTS + faults_structure.FAULTS + faults_readers.FAULTS
          + faults_writers.FAULTS + faults_resume.FAULTS + faults_batch.FAULTS + faults_statistics.FAULTS
          + faults_trust.FAULTS + faults_memory.FAULTS)
