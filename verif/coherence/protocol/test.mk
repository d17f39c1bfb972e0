test-needs: $(NMOESI_GEN)
